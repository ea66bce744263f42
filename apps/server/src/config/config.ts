import { asTrustProxy, ConfigError, isLoopback, readKeys, secretsIn, tracingOf } from '@atrium/program'
import { parsePageOrigins } from '../kernel/page-origins.ts'
import { parseSealingKeys } from '../kernel/sealing-keys.ts'
import { isHosted, refuseContradictions } from './contradictions.ts'
import { type ServerValues, serverKeys } from './server-keys.ts'
import { webFolderOf } from './web-config.ts'

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv, hostName: string) {
  const values = readKeys(serverKeys, env)
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
    quotas: {
      participantBytes: values.PARTICIPANT_QUOTA_BYTES,
      participantFileBytes: values.PARTICIPANT_FILES_QUOTA_BYTES,
      experimentBytes: values.EXPERIMENT_QUOTA_BYTES,
    },
    /** Undefined = depends on the size of the disk. */
    minFreeBytes: values.MIN_FREE_BYTES,
    redisUrl: values.REDIS_URL,
    redisPatienceMs: values.REDIS_PATIENCE_MS,
    useV4: values.USE_V4_PARTICIPANT_API,
    /** The first signs. Undefined = made by the server itself. */
    sessionSecrets: secretsIn(values.SESSION_SECRET),
    sessionBindIp: values.SESSION_BIND_IP,
    originRetentionMs: values.ORIGIN_RETENTION_DAYS * 24 * 60 * 60 * 1000,
    /** Undefined = made by the server itself. */
    credentialKeys:
      values.CREDENTIAL_KEYS === undefined ? undefined : parseSealingKeys(values.CREDENTIAL_KEYS),
    prolificUrl: values.PROLIFIC_API_URL,
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

/** R36: the development issuer signs anybody in as anybody, so by default only this machine can reach it. */
const hostOf = ({ HOST, OIDC_ISSUER }: ServerValues): string =>
  HOST ?? (OIDC_ISSUER === undefined ? '127.0.0.1' : '0.0.0.0')

/** R36: the warning for a development issuer that other machines can reach. */
export const exposureOf = ({ host, oidc }: Pick<Config, 'host' | 'oidc'>): string | undefined =>
  oidc || isLoopback(host)
    ? undefined
    : 'The development issuer runs and HOST is not a loopback address: anybody who reaches the port can sign in as anybody'

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
