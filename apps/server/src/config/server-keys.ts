import { limits } from '@atrium/contract'
import {
  address,
  describeKeys,
  flag,
  isLoopback,
  type Key,
  listeningKeys,
  optionalWhole,
  port,
  text,
  tracingKeys,
  type Values,
  whole,
} from '@atrium/program'
import { parsePageOrigins } from '../kernel/page-origins.ts'
import { parseSealingKeys } from '../kernel/sealing-keys.ts'
import { ffmpegKeys, objectStoreKeys } from './video-keys.ts'
import { webDirKey } from './web-config.ts'

/** More than any disk, and exact as a number. */
const maxBytes = 2 ** 50

/** An origin; a token in plain text must not leave this machine. */
function isSafeAddress(raw: string): boolean {
  if (!URL.canParse(raw)) return false
  const { protocol, hostname, origin } = new URL(raw)
  return raw === origin && (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)))
}

/** Every configuration key, once, with its default. The reference page is generated from this table. */
export const serverKeys = {
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
    schema: address(
      'https?',
      'Public address of the platform. Without `OIDC_ISSUER`, other host names than its own are refused with 421',
    ),
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
  PARTICIPANT_QUOTA_BYTES: {
    group: 'Storage',
    schema: whole(
      limits.quota.participantBytes,
      1,
      maxBytes,
      'Bytes of events, answers and messages that one participant may store, over all their sessions; beyond it they are refused with `QUOTA_EXCEEDED`',
    ),
  },
  PARTICIPANT_FILES_QUOTA_BYTES: {
    group: 'Storage',
    schema: whole(
      limits.quota.participantFileBytes,
      0,
      maxBytes,
      'Bytes of files and recordings that one participant may upload as answers',
    ),
  },
  EXPERIMENT_QUOTA_BYTES: {
    group: 'Storage',
    schema: whole(
      limits.quota.experimentBytes,
      1,
      maxBytes,
      'Bytes that all participants of one study may store, files included; beyond it nobody new can join, and data is refused with `QUOTA_EXCEEDED`. Raise it for studies with many recordings',
    ),
  },
  MIN_FREE_BYTES: {
    group: 'Storage',
    fallback: `\`${limits.minFreeBytes}\`, or a tenth of the disk if that is less`,
    schema: optionalWhole(
      0,
      maxBytes,
      'Free bytes on the disk of DATA_DIR below which the embedded database takes only what people need to finish; 0 = no floor. Of PostgreSQL the server cannot see the disk',
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
  ORIGIN_RETENTION_DAYS: {
    group: 'Participants',
    schema: whole(
      30,
      0,
      3_650,
      'Days after the end of a session (24 hours after it began) until its IP address and user agent are erased',
    ),
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
  PROLIFIC_API_URL: {
    group: 'Recruiting',
    accepts: isSafeAddress,
    schema: text(
      'Address of Prolific’s API, which gets the tokens of researchers; https, except on this machine for tests',
      { default: 'https://api.prolific.com', expected: 'an https address without a path' },
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

export const configurationKeys = describeKeys(serverKeys)

export type ServerValues = Values<typeof serverKeys>
