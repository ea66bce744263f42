import { isIP } from 'node:net'
import { limits } from '@atrium/contract'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

/** A start that must not happen: the sentence names the key. */
export class ConfigError extends Error {}

/** A step of the start that stands or falls with the value of a key: its failure names the key (R2). */
export async function usingKey<Value>(name: string, step: () => Promise<Value>): Promise<Value> {
  try {
    return await step()
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    throw new ConfigError(`${name} cannot be used: ${message.replaceAll(/\s+/g, ' ').replace(/\.$/, '')}.`)
  }
}

interface Key {
  group: string
  schema: Type.TSchema & { description?: string; default?: unknown }
  secret?: boolean
}

const text = (description: string, more: object = {}) => Type.String({ description, ...more })
const flag = (fallback: boolean, description: string) => Type.Boolean({ default: fallback, description })
const whole = (fallback: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: fallback, minimum, maximum, description })
const port = (fallback: number, description: string) => whole(fallback, 0, 65_535, description)
const address = (schemes: string, description: string) =>
  text(description, {
    pattern: `^(${schemes})://[^\\s]+$`,
    expected: `an address that begins with ${schemes.replace('|', ':// or ')}://`,
  })

/** Every configuration key, once. The reference page is made from this table. */
const keys = {
  HOST: { group: 'Listening', schema: text('Address to listen on', { default: '0.0.0.0' }) },
  PORT: { group: 'Listening', schema: port(3000, 'Port of the platform; 0 = any free port') },
  METRICS_PORT: { group: 'Listening', schema: port(9464, 'Port of /metrics; 0 = any free port') },
  PUBLIC_URL: {
    group: 'Listening',
    schema: address('https?', 'Address under which people reach the platform'),
  },
  TRUST_PROXY: {
    group: 'Listening',
    schema: text('Which proxies may name the client: false, true, a number of hops, or addresses', {
      default: 'false',
      expected:
        'true, false, a number of hops, or a comma-separated list of addresses, subnets, loopback, linklocal, uniquelocal',
    }),
  },
  LOG_LEVEL: {
    group: 'Listening',
    schema: Type.Enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      default: 'info',
      description: 'Least level that is logged (to standard error, as JSON)',
    }),
  },
  DATA_DIR: {
    group: 'Storage',
    schema: text('Folder of the embedded database and secrets', { default: './data' }),
  },
  DATABASE_URL: {
    group: 'Storage',
    secret: true,
    schema: address('postgres|postgresql', 'PostgreSQL; unset = SQLite in DATA_DIR'),
  },
  REDIS_URL: { group: 'Storage', secret: true, schema: address('redis|rediss', 'Redis; unset = in process') },
  USE_V4_PARTICIPANT_API: {
    group: 'Participants',
    schema: flag(true, 'false: /api/v4/participant/* is rewritten to /api/v3/participant/*'),
  },
  SESSION_SECRET: {
    group: 'Participants',
    secret: true,
    schema: text('Signs session tokens; required when HOSTED. Unset: made once and kept', { minLength: 1 }),
  },
  SESSION_BIND_IP: {
    group: 'Participants',
    schema: flag(false, 'A session is valid from its first address only'),
  },
  OIDC_ISSUER: {
    group: 'Identity',
    schema: address(
      'https?',
      'Identity provider; unset = development issuer, refused when HOSTED or in production',
    ),
  },
  OIDC_AUDIENCE: { group: 'Identity', schema: text('`aud` of ID tokens; required with OIDC_ISSUER') },
  OIDC_JWKS_URI: {
    group: 'Identity',
    schema: address('https?', 'Keys of the issuer; unset = by its discovery document'),
  },
  ADMIN_USERS: {
    group: 'Identity',
    schema: text('Administrators: subjects or verified e-mail addresses, comma-separated', { default: '' }),
  },
  HOSTED: {
    group: 'Deployment',
    schema: flag(false, 'Open to the internet: nothing of development is reachable'),
  },
  NODE_ENV: {
    group: 'Deployment',
    schema: text('`production` refuses the development issuer', { default: 'development' }),
  },
  HORIZONTAL_SCALING_ENABLED: {
    group: 'Deployment',
    schema: flag(false, 'true for several instances; needs DATABASE_URL and REDIS_URL'),
  },
  POD_NAME: { group: 'Deployment', schema: text('Name of this instance; unset = the host name') },
  POD_NAMESPACE: { group: 'Deployment', schema: text('Namespace of this instance', { default: 'default' }) },
  POD_IP: {
    group: 'Deployment',
    schema: text('Address of this instance inside the cluster', { default: '127.0.0.1' }),
  },
  MAX_ROOMS_PER_POD: {
    group: 'Deployment',
    schema: whole(limits.roomsPerPod, 1, 1_000_000, 'Rooms per instance'),
  },
  MAX_PARTICIPANTS_PER_POD: {
    group: 'Deployment',
    schema: whole(limits.participantsPerPod, 1, 1_000_000, 'Participants in rooms per instance'),
  },
  METRICS_HEARTBEAT_INTERVAL: {
    group: 'Deployment',
    schema: whole(limits.podHeartbeatMs, 100, 90_000, 'Milliseconds between reports of this instance'),
  },
} as const satisfies Record<string, Key>

export const configurationKeys = Object.entries(keys).map(([name, key]: [string, Key]) => ({
  name,
  group: key.group,
  description: key.schema.description ?? '',
  default: key.schema.default === undefined ? null : String(key.schema.default),
  secret: key.secret ?? false,
}))

type Values = { [Name in keyof typeof keys]: Type.Static<(typeof keys)[Name]['schema']> | undefined }

function readKey(name: keyof typeof keys, env: NodeJS.ProcessEnv): unknown {
  const { schema, secret }: Key = keys[name]
  const raw = env[name]?.trim()
  if (raw === undefined || raw === '') return schema.default
  const kind = (schema as { type?: string }).type
  const value =
    kind === 'integer' && /^-?\d+$/.test(raw) ? Number(raw) : kind === 'boolean' ? asFlag(raw) : raw
  if (Value.Check(schema, value) && (name !== 'TRUST_PROXY' || mayTrust(raw))) return value
  throw new ConfigError(`${name} must be ${expectation(schema)}${secret ? '' : `, but is “${raw}”`}.`)
}

const asFlag = (raw: string): unknown =>
  /^(true|1)$/i.test(raw) ? true : /^(false|0)$/i.test(raw) ? false : raw

function expectation(schema: Type.TSchema): string {
  const known = schema as {
    expected?: string
    type?: string
    minimum?: number
    maximum?: number
    enum?: string[]
  }
  if (known.expected) return known.expected
  if (known.type === 'integer') return `a whole number from ${known.minimum} to ${known.maximum}`
  if (known.type === 'boolean') return 'true or false'
  return known.enum ? `one of ${known.enum.join(', ')}` : 'a text'
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv, hostName: string) {
  const read = Object.fromEntries(
    Object.keys(keys).map((name) => [name, readKey(name as keyof typeof keys, env)]),
  )
  const values = read as Values
  refuseContradictions(values)
  return {
    host: values.HOST ?? '0.0.0.0',
    port: values.PORT ?? 0,
    metricsPort: values.METRICS_PORT ?? 0,
    publicUrl: values.PUBLIC_URL,
    trustProxy: asTrustProxy(values.TRUST_PROXY ?? 'false'),
    logLevel: values.LOG_LEVEL ?? 'info',
    dataDir: values.DATA_DIR ?? './data',
    databaseUrl: values.DATABASE_URL,
    redisUrl: values.REDIS_URL,
    useV4: values.USE_V4_PARTICIPANT_API ?? true,
    sessionSecret: values.SESSION_SECRET,
    sessionBindIp: values.SESSION_BIND_IP ?? false,
    oidc: values.OIDC_ISSUER
      ? { issuer: values.OIDC_ISSUER, audience: values.OIDC_AUDIENCE ?? '', jwksUri: values.OIDC_JWKS_URI }
      : undefined,
    adminUsers: (values.ADMIN_USERS ?? '')
      .split(',')
      .map((user) => user.trim())
      .filter(Boolean),
    hosted: isHosted(values),
    pod: {
      id: values.POD_NAME ?? hostName,
      namespace: values.POD_NAMESPACE ?? 'default',
      ip: values.POD_IP ?? '127.0.0.1',
      maxRooms: values.MAX_ROOMS_PER_POD ?? limits.roomsPerPod,
      maxParticipants: values.MAX_PARTICIPANTS_PER_POD ?? limits.participantsPerPod,
      heartbeatMs: values.METRICS_HEARTBEAT_INTERVAL ?? limits.podHeartbeatMs,
    },
  }
}

const isHosted = (values: Values): boolean => values.HOSTED === true || values.NODE_ENV === 'production'

function refuseContradictions(values: Values): void {
  if (values.HORIZONTAL_SCALING_ENABLED && !(values.DATABASE_URL && values.REDIS_URL)) {
    const missing = values.DATABASE_URL
      ? 'REDIS_URL'
      : values.REDIS_URL
        ? 'DATABASE_URL'
        : 'DATABASE_URL and REDIS_URL'
    throw new ConfigError(
      `HORIZONTAL_SCALING_ENABLED=true needs ${missing}: several instances share one database and one Redis.`,
    )
  }
  if (values.METRICS_PORT !== 0 && values.METRICS_PORT === values.PORT)
    throw new ConfigError(`METRICS_PORT must differ from PORT, but both are ${values.PORT}.`)
  if (isHosted(values) && !values.OIDC_ISSUER)
    throw new ConfigError(
      'OIDC_ISSUER is required when HOSTED=true or NODE_ENV=production: the development issuer is never reachable there.',
    )
  if (isHosted(values) && (values.SESSION_SECRET ?? '').length < 16)
    throw new ConfigError(
      'SESSION_SECRET of at least 16 characters is required when HOSTED=true or NODE_ENV=production.',
    )
  if (values.OIDC_ISSUER && !values.OIDC_AUDIENCE)
    throw new ConfigError(
      'OIDC_AUDIENCE is required with OIDC_ISSUER: a token made for another application must not be accepted.',
    )
}

/** Fastify would refuse the rest with a sentence that does not name the key. */
function mayTrust(raw: string): boolean {
  if (typeof asTrustProxy(raw) !== 'string') return true
  return raw
    .split(',')
    .every((part) => /^(loopback|linklocal|uniquelocal)$/.test(part.trim()) || isSubnet(part.trim()))
}

function isSubnet(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

function asTrustProxy(raw: string): boolean | number | string {
  if (/^(true|false)$/i.test(raw)) return raw.toLowerCase() === 'true'
  return /^\d+$/.test(raw) ? Number(raw) : raw
}
