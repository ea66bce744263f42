import {
  address,
  asTrustProxy,
  ConfigError,
  describeKeys,
  type Key,
  listeningKeys,
  port,
  readKeys,
  refuseSamePort,
  text,
  tracingKeys,
  tracingOf,
} from '@atrium/program'
import { parseOrigin } from './directory/parse.ts'

const group = 'Router'
const origins = 'http://host:port without a path'

/** Every configuration key of the router. The reference page is generated from this table. */
const keys = {
  HOST: listeningKeys.HOST,
  ROUTER_PORT: { group, schema: port(3001, 'Port of the router; 0 = any free port') },
  METRICS_PORT: listeningKeys.METRICS_PORT,
  REDIS_URL: {
    group,
    secret: true,
    schema: address('redis|rediss', 'Redis that holds the leases and rooms of the pods; required'),
  },
  ROUTER_BACKENDS: {
    group,
    accepts: (raw: string) => listIn(raw).every((part) => backendIn(part) !== undefined),
    schema: text(
      'Backends for requests without a room: addresses or podId=address, comma-separated; unset = every live pod that is not draining',
      { expected: `a comma-separated list of addresses like ${origins}, each optionally preceded by podId=` },
    ),
  },
  ROUTER_WEB: {
    group,
    accepts: (raw: string) => parseOrigin(raw) !== undefined,
    schema: text('Address of the web app, for every path outside the API; unset = the backends', {
      expected: `an address like ${origins}`,
    }),
  },
  TRUST_PROXY: listeningKeys.TRUST_PROXY,
  LOG_LEVEL: listeningKeys.LOG_LEVEL,
  ...tracingKeys,
} as const satisfies Record<string, Key>

export const routerKeys = describeKeys(keys)

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = readKeys(keys, env)
  refuseSamePort('ROUTER_PORT', { port: values.ROUTER_PORT, metricsPort: values.METRICS_PORT })
  if (values.REDIS_URL === undefined)
    throw new ConfigError('REDIS_URL is required: the router reads from Redis which pod has which room.')
  const backends = listIn(values.ROUTER_BACKENDS ?? '').flatMap((part) => backendIn(part) ?? [])
  return {
    host: values.HOST,
    port: values.ROUTER_PORT,
    metricsPort: values.METRICS_PORT,
    redisUrl: values.REDIS_URL,
    backends: backends.length > 0 ? [...new Set(backends.map(({ origin }) => origin))] : undefined,
    /** Origins by instance id, for the backends configured with one. */
    namedBackends: new Map(
      backends.flatMap(({ podId, origin }) => (podId === undefined ? [] : [[podId, origin] as const])),
    ),
    web: parseOrigin(values.ROUTER_WEB ?? ''),
    trustProxy: asTrustProxy(values.TRUST_PROXY),
    logLevel: values.LOG_LEVEL,
    tracing: tracingOf(values),
  }
}

interface Backend {
  podId: string | undefined
  origin: string
}

function backendIn(part: string): Backend | undefined {
  const [, podId, address] = /^(?:([\w.-]+)=)?(.*)$/.exec(part) ?? []
  const origin = parseOrigin(address ?? '')
  return origin === undefined ? undefined : { podId, origin }
}

const listIn = (raw: string): string[] =>
  raw
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
