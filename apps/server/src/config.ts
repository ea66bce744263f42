import { limits } from '@atrium/contract'
import {
  address,
  asTrustProxy,
  ConfigError,
  describeKeys,
  flag,
  isLoopback,
  type Key,
  listeningKeys,
  port,
  readKeys,
  refuseSamePort,
  secretsIn,
  text,
  tracingKeys,
  tracingOf,
  type Values,
  whole,
} from '@atrium/program'
import { parsePageOrigins } from './kernel/page-origins.ts'
import { parseSealingKeys } from './kernel/sealing-keys.ts'
import { ffmpegKeys, objectStoreKeys } from './video-keys.ts'
import { webDirKey, webFolderOf } from './web-config.ts'

/** Every configuration key, once, with its default. The reference page is generated from this table. */
const keys = {
  HOST: {
    group: 'Listening',
    fallback: '`127.0.0.1` without `OIDC_ISSUER`, `0.0.0.0` with it',
    schema: text(
      'Address to listen on, including /metrics. While the development issuer runs, anyone who can reach the port can sign in as anyone',
    ),
  },
  PORT: { group: 'Listening', schema: port(3000, 'Port of the platform; 0 = any free port') },
  METRICS_PORT: listeningKeys.METRICS_PORT,
  PUBLIC_URL: {
    group: 'Listening',
    accepts: URL.canParse,
    schema: address('https?', 'Public address of the platform'),
  },
  PAGE_ORIGINS: {
    group: 'Listening',
    accepts: (raw) => parsePageOrigins(raw) !== undefined,
    schema: text(
      'Sites whose own pages may use the API and the sockets: comma-separated origins, exactly as browsers send them (`https://lab.example.org`); empty = none',
      { default: '', expected: 'a comma-separated list of at most 50 origins like https://lab.example.org' },
    ),
  },
  TRUST_PROXY: listeningKeys.TRUST_PROXY,
  LOG_LEVEL: listeningKeys.LOG_LEVEL,
  ...tracingKeys,
  WEB_DIR: webDirKey,
  DATA_DIR: {
    group: 'Storage',
    schema: text('Folder for the embedded database and secrets', { default: './data' }),
  },
  DATABASE_URL: {
    group: 'Storage',
    secret: true,
    schema: address('postgres|postgresql', 'PostgreSQL; unset = SQLite in DATA_DIR'),
  },
  DATABASE_PATIENCE_MS: {
    group: 'Storage',
    schema: whole(
      1_500,
      500,
      60_000,
      'How long a request waits for PostgreSQL, in milliseconds, until it is refused with 503. Above 1500, clients may wait longer than the two seconds they are promised, and an instance that hangs keeps its rows locked as much longer',
    ),
  },
  REDIS_URL: { group: 'Storage', secret: true, schema: address('redis|rediss', 'Redis; unset = in process') },
  REDIS_PATIENCE_MS: {
    group: 'Storage',
    schema: whole(
      250,
      50,
      10_000,
      'How long anything waits for Redis, in milliseconds, until it goes on without it. Above 500, an instance may lose its lease to one slow answer',
    ),
  },
  ...objectStoreKeys,
  MAX_VIDEO_BYTES: {
    group: 'Video',
    schema: whole(
      limits.videoBytes,
      1,
      limits.uploadPartBytes * limits.uploadParts,
      'Size of the largest video that may be uploaded',
    ),
  },
  MEDIA_URL_LIFETIME_SECONDS: {
    group: 'Video',
    schema: whole(
      14_400,
      1,
      604_800,
      'How long the addresses that participants play videos from stay valid, at most',
    ),
  },
  TRANSCODER_ROLE: {
    group: 'Video',
    schema: text(
      'IAM role of AWS Elemental MediaConvert, which then transcodes; requires S3_ENDPOINT and INTERNAL_API_KEY; unset = ffmpeg',
    ),
  },
  TRANSCODER_ENDPOINT: {
    group: 'Video',
    accepts: URL.canParse,
    schema: address(
      'https?',
      'Address of MediaConvert; requires TRANSCODER_ROLE; unset = the one of the region',
    ),
  },
  INTERNAL_API_KEY: {
    group: 'Video',
    secret: true,
    schema: text(
      'Secret that functions and workers send as X-Internal-Key, at least 16 characters; several, comma-separated: all are accepted; unset = the internal routes refuse everyone',
    ),
  },
  BACKEND_URL: {
    group: 'Video',
    accepts: URL.canParse,
    schema: address('https?', 'Address at which functions and workers reach the server'),
  },
  ...ffmpegKeys,
  USE_V4_PARTICIPANT_API: {
    group: 'Participants',
    schema: flag(true, 'false: /api/v4/participant/* is rewritten to /api/v3/participant/*'),
  },
  SESSION_SECRET: {
    group: 'Participants',
    secret: true,
    schema: text(
      'Key for signing session tokens and addresses of videos, at least 16 characters; several, comma-separated: the first signs, all are accepted; required when HOSTED; unset = generated once and stored',
    ),
  },
  SESSION_BIND_IP: {
    group: 'Participants',
    schema: flag(false, 'Accept a session only from its first IP address'),
  },
  CREDENTIAL_KEYS: {
    group: 'Agents',
    secret: true,
    accepts: (raw) => parseSealingKeys(raw) !== undefined,
    schema: text(
      'Keys that encrypt the API keys of credentials: comma-separated `id:key`, where a key is 32 random bytes in base64. The first encrypts, all decrypt; unset = one is generated and stored',
      {
        expected:
          'a comma-separated list of id:key, where each key is 32 bytes in base64 and no id occurs twice',
      },
    ),
  },
  OIDC_ISSUER: {
    group: 'Identity',
    accepts: URL.canParse,
    schema: address(
      'https?',
      'Identity provider, over https when HOSTED; unset = development issuer, refused when HOSTED or in production',
    ),
  },
  OIDC_AUDIENCE: { group: 'Identity', schema: text('`aud` of ID tokens; required with OIDC_ISSUER') },
  OIDC_JWKS_URI: {
    group: 'Identity',
    accepts: URL.canParse,
    schema: address('https?', 'Address of the issuer’s keys; unset = from its discovery document'),
  },
  ADMIN_USERS: {
    group: 'Identity',
    schema: text(
      'Administrators, comma-separated. Entries with `@` are e-mail addresses, which must be verified in the token; others are subjects',
      { default: '' },
    ),
  },
  HOSTED: {
    group: 'Deployment',
    schema: flag(
      false,
      'Open to the internet: development features are off, no examples are loaded, and model servers of agents are reached only over https at public addresses',
    ),
  },
  NODE_ENV: {
    group: 'Deployment',
    schema: text('`production`, ignoring case, implies HOSTED=true', { default: 'development' }),
  },
  HORIZONTAL_SCALING_ENABLED: {
    group: 'Deployment',
    schema: flag(false, 'true for several instances; requires DATABASE_URL and REDIS_URL'),
  },
  POD_NAME: { group: 'Deployment', schema: text('Name of this instance; unset = the host name') },
  POD_NAMESPACE: { group: 'Deployment', schema: text('Namespace of this instance', { default: 'default' }) },
  POD_IP: {
    group: 'Deployment',
    schema: text('Address of this instance inside the cluster', { default: '127.0.0.1' }),
  },
  MAX_ROOMS_PER_POD: {
    group: 'Deployment',
    schema: whole(limits.roomsPerPod, 1, 1_000_000, 'Maximum number of rooms per instance'),
  },
  MAX_PARTICIPANTS_PER_POD: {
    group: 'Deployment',
    schema: whole(
      limits.participantsPerPod,
      1,
      1_000_000,
      'Maximum number of participants in rooms per instance',
    ),
  },
  METRICS_HEARTBEAT_INTERVAL: {
    group: 'Deployment',
    schema: whole(
      limits.podHeartbeatMs,
      100,
      90_000,
      'Interval in milliseconds at which the instance reports its metrics',
    ),
  },
} as const satisfies Record<string, Key>

export const configurationKeys = describeKeys(keys)

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv, hostName: string) {
  const values = readKeys(keys, env)
  refuseContradictions(values)
  return {
    host: hostOf(values),
    port: values.PORT,
    metricsPort: values.METRICS_PORT,
    publicUrl: values.PUBLIC_URL,
    pageOrigins: parsePageOrigins(values.PAGE_ORIGINS) ?? new Set<string>(),
    trustProxy: asTrustProxy(values.TRUST_PROXY),
    logLevel: values.LOG_LEVEL,
    tracing: tracingOf(values),
    webDir: webFolderOf(values.WEB_DIR),
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    databasePatienceMs: values.DATABASE_PATIENCE_MS,
    redisUrl: values.REDIS_URL,
    redisPatienceMs: values.REDIS_PATIENCE_MS,
    useV4: values.USE_V4_PARTICIPANT_API,
    /** The first signs. Undefined = made by the server itself. */
    sessionSecrets: secretsIn(values.SESSION_SECRET),
    sessionBindIp: values.SESSION_BIND_IP,
    /** Undefined = made by the server itself. */
    credentialKeys:
      values.CREDENTIAL_KEYS === undefined ? undefined : parseSealingKeys(values.CREDENTIAL_KEYS),
    objectStore: objectStoreOf(values),
    video: videoOf(values),
    oidc: oidcOf(values),
    adminUsers: values.ADMIN_USERS.split(',')
      .map((user) => user.trim())
      .filter(Boolean),
    hosted: isHosted(values),
    horizontalScaling: values.HORIZONTAL_SCALING_ENABLED,
    pod: {
      id: values.POD_NAME ?? hostName,
      namespace: values.POD_NAMESPACE,
      ip: values.POD_IP,
      capacity: {
        maxRooms: values.MAX_ROOMS_PER_POD,
        maxParticipants: values.MAX_PARTICIPANTS_PER_POD,
      },
      heartbeatMs: values.METRICS_HEARTBEAT_INTERVAL,
    },
  }
}

type ServerValues = Values<typeof keys>

const isHosted = ({ HOSTED, NODE_ENV }: ServerValues): boolean =>
  HOSTED || NODE_ENV.toLowerCase() === 'production'

/** R36: the development issuer signs anybody in as anybody, so by default only this machine can reach it. */
const hostOf = ({ HOST, OIDC_ISSUER }: ServerValues): string =>
  HOST ?? (OIDC_ISSUER === undefined ? '127.0.0.1' : '0.0.0.0')

/** R36: the warning for a development issuer that other machines can reach. */
export const exposureOf = ({ host, oidc }: Pick<Config, 'host' | 'oidc'>): string | undefined =>
  oidc || isLoopback(host)
    ? undefined
    : 'The development issuer runs and HOST is not a loopback address: anybody who reaches the port can sign in as anybody'

const shortestSecret = 16

function refuseContradictions(values: ServerValues): void {
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
  refuseVideoContradictions(values)
  refuseSamePort('PORT', { port: values.PORT, metricsPort: values.METRICS_PORT })
  if (isHosted(values)) refuseUnsafeHosting(values)
  refuseShortSecrets('SESSION_SECRET', values.SESSION_SECRET)
}

const hasShortSecret = (raw: string): boolean =>
  secretsIn(raw)?.every((secret) => secret.length >= shortestSecret) !== true

function refuseShortSecrets(name: string, raw: string | undefined): void {
  if (raw !== undefined && hasShortSecret(raw))
    throw new ConfigError(
      `${name} must be at least ${shortestSecret} characters long, and so must each of several that are separated by commas.`,
    )
}

/** Only what would fail later, in the middle of an upload or of a transcoding. */
function refuseVideoContradictions(values: ServerValues): void {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, INTERNAL_API_KEY } = values
  const { TRANSCODER_ROLE, TRANSCODER_ENDPOINT } = values
  const required = (needed: Record<string, string | undefined>, by: string, reason: string) => {
    for (const [name, value] of Object.entries(needed))
      if (value === undefined) throw new ConfigError(`${name} is required with ${by}: ${reason}`)
  }
  const signed = 'every request to the object store is signed.'
  if (S3_ENDPOINT) required({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }, 'S3_ENDPOINT', signed)
  else
    for (const [name, value] of Object.entries({ S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }))
      if (value !== undefined)
        throw new ConfigError(`S3_ENDPOINT is required with ${name}: it says where the object store is.`)
  if (TRANSCODER_ENDPOINT)
    required({ TRANSCODER_ROLE }, 'TRANSCODER_ENDPOINT', 'MediaConvert reads and writes videos in this role.')
  if (TRANSCODER_ROLE) {
    required({ S3_ENDPOINT }, 'TRANSCODER_ROLE', 'MediaConvert reads videos from S3.')
    required({ INTERNAL_API_KEY }, 'TRANSCODER_ROLE', 'the functions report with it how a job has ended.')
  }
  refuseShortSecrets('INTERNAL_API_KEY', INTERNAL_API_KEY)
}

/** Undefined = the embedded one, in DATA_DIR. */
function objectStoreOf(values: ServerValues) {
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values
  if (!S3_ENDPOINT || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined
  return {
    endpoint: S3_ENDPOINT,
    region: values.S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    forcePathStyle: values.S3_FORCE_PATH_STYLE,
  }
}

const videoOf = (values: ServerValues) => ({
  bucket: values.VIDEO_BUCKET,
  maxBytes: values.MAX_VIDEO_BYTES,
  pathLifetimeMs: values.MEDIA_URL_LIFETIME_SECONDS * 1000,
  /** Each of them opens the internal routes. */
  internalKeys: secretsIn(values.INTERNAL_API_KEY),
  backendUrl: values.BACKEND_URL,
  /** Undefined = ffmpeg transcodes. */
  mediaConvert:
    values.TRANSCODER_ROLE === undefined
      ? undefined
      : { role: values.TRANSCODER_ROLE, endpoint: values.TRANSCODER_ENDPOINT },
  ffmpeg: { path: values.FFMPEG_PATH, probePath: values.FFPROBE_PATH, preset: values.FFMPEG_PRESET },
})

function oidcOf({ OIDC_ISSUER, OIDC_AUDIENCE, OIDC_JWKS_URI }: ServerValues) {
  if (OIDC_ISSUER === undefined) return undefined
  if (OIDC_AUDIENCE === undefined)
    throw new ConfigError(
      'OIDC_AUDIENCE is required with OIDC_ISSUER: a token made for another application must not be accepted.',
    )
  return { issuer: OIDC_ISSUER, audience: OIDC_AUDIENCE, jwksUri: OIDC_JWKS_URI }
}

function refuseUnsafeHosting(values: ServerValues): void {
  const { OIDC_ISSUER, OIDC_JWKS_URI, SESSION_SECRET } = values
  if (!OIDC_ISSUER)
    throw new ConfigError(
      'OIDC_ISSUER is required when HOSTED=true or NODE_ENV=production: the development issuer is never reachable there.',
    )
  for (const [name, address] of Object.entries({ OIDC_ISSUER, OIDC_JWKS_URI }))
    if (address !== undefined && isOpenToForgery(address))
      throw new ConfigError(
        `${name} must be an https:// address when HOSTED=true or NODE_ENV=production: over http anybody on the way can sign in as anybody.`,
      )
  if (SESSION_SECRET === undefined || hasShortSecret(SESSION_SECRET))
    throw new ConfigError(
      `SESSION_SECRET of at least ${shortestSecret} characters is required when HOSTED=true or NODE_ENV=production.`,
    )
}

function isOpenToForgery(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' && !isLoopback(hostname)
}
