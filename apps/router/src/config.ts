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
} from '@atrium/program'
import { originIn } from './directory/origin.ts'

const group = 'Router'
const origins = 'http://host:port without a path'

/** Every key of the router, once. The reference page is made from this table. */
const keys = {
  HOST: listeningKeys.HOST,
  ROUTER_PORT: { group, schema: port(3001, 'Port of the router; 0 = any free port') },
  METRICS_PORT: listeningKeys.METRICS_PORT,
  REDIS_URL: {
    group,
    secret: true,
    schema: address('redis|rediss', 'Where pods say which room is where; required'),
  },
  ROUTER_BACKENDS: {
    group,
    accepts: (raw: string) => listIn(raw).every((part) => backendIn(part) !== undefined),
    schema: text(
      'Where requests go that belong to no room: addresses, or podId=address, comma-separated; unset = every pod that is alive and not draining',
      { expected: `a comma-separated list of addresses like ${origins}, each with podId= before it or not` },
    ),
  },
  ROUTER_WEB: {
    group,
    accepts: (raw: string) => originIn(raw) !== undefined,
    schema: text('The web app, for everything that is no API; unset = the backends', {
      expected: `an address like ${origins}`,
    }),
  },
  TRUST_PROXY: listeningKeys.TRUST_PROXY,
  LOG_LEVEL: listeningKeys.LOG_LEVEL,
} as const satisfies Record<string, Key>

export const routerKeys = describeKeys(keys)

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = readKeys(keys, env)
  refuseSamePort('ROUTER_PORT', { port: values.ROUTER_PORT, metricsPort: values.METRICS_PORT })
  if (values.REDIS_URL === undefined)
    throw new ConfigError('REDIS_URL is required: the router reads there which pod has which room.')
  const backends = listIn(values.ROUTER_BACKENDS ?? '').flatMap((part) => backendIn(part) ?? [])
  return {
    host: values.HOST ?? '0.0.0.0',
    port: values.ROUTER_PORT ?? 0,
    metricsPort: values.METRICS_PORT ?? 0,
    redisUrl: values.REDIS_URL,
    backends: backends.length > 0 ? [...new Set(backends.map(({ origin }) => origin))] : undefined,
    /** Pods whose address was given with their name. */
    namedBackends: new Map(
      backends.flatMap(({ podId, origin }) => (podId === undefined ? [] : [[podId, origin] as const])),
    ),
    web: originIn(values.ROUTER_WEB ?? ''),
    trustProxy: asTrustProxy(values.TRUST_PROXY ?? 'false'),
    logLevel: values.LOG_LEVEL ?? 'info',
  }
}

interface Backend {
  podId: string | undefined
  origin: string
}

function backendIn(part: string): Backend | undefined {
  const [, podId, address] = /^(?:([\w.-]+)=)?(.*)$/.exec(part) ?? []
  const origin = originIn(address ?? '')
  return origin === undefined ? undefined : { podId, origin }
}

const listIn = (raw: string): string[] =>
  raw
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
