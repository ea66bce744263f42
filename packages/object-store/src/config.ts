import {
  ConfigError,
  describeKeys,
  type Key,
  listeningKeys,
  port,
  readKeys,
  refuseSamePort,
  secretsIn,
  text,
} from '@atrium/program'

const group = 'Object store'
const wholeNumber = { pattern: '^\\d{1,15}$', expected: 'a number of bytes' }

/** Every configuration key of the object store as a program of its own. */
const keys = {
  HOST: listeningKeys.HOST,
  OBJECTS_PORT: { group, schema: port(9000, 'Port of the object store; 0 = any free port') },
  METRICS_PORT: listeningKeys.METRICS_PORT,
  OBJECTS_DIR: {
    group,
    schema: text('Folder for the objects; only one store may use it', { default: './objects' }),
  },
  VIDEO_BUCKET: {
    group,
    schema: text('Name of the one bucket', {
      default: 'atrium',
      pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$',
      expected: 'the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens',
    }),
  },
  S3_ACCESS_KEY_ID: {
    group,
    schema: text(
      'Access key id that clients must use; several, comma-separated: all are accepted; required',
      {
        pattern: '^[\\w-]{1,128}(,[\\w-]{1,128}){0,3},?$',
        expected:
          'up to 128 letters, digits, hyphens and underscores, or up to four of these, comma-separated',
      },
    ),
  },
  S3_SECRET_ACCESS_KEY: {
    group,
    secret: true,
    schema: text('Secret that belongs to it, and as many as there are ids, in the same order; required', {
      pattern: '^[^\\s,]{16,256}(,[^\\s,]{16,256}){0,3},?$',
      expected:
        'a text of 16 to 256 characters without spaces and commas, or up to four of these, comma-separated',
    }),
  },
  OBJECTS_ORIGINS: {
    group,
    schema: text('Origins of pages that may use the store, comma-separated; * = all', { default: '*' }),
  },
  OBJECTS_MAX_BYTES: {
    group,
    schema: text('Bytes that all objects may have together; unset = as many as the disk holds', wholeNumber),
  },
  OBJECTS_KEEP_FREE_BYTES: {
    group,
    schema: text('Bytes of the disk that uploads must leave free', { ...wholeNumber, default: '268435456' }),
  },
  LOG_LEVEL: listeningKeys.LOG_LEVEL,
} as const satisfies Record<string, Key>

export const objectStoreKeys = describeKeys(keys)

export function readConfig(env: NodeJS.ProcessEnv) {
  const values = readKeys(keys, env)
  refuseSamePort('OBJECTS_PORT', { port: values.OBJECTS_PORT, metricsPort: values.METRICS_PORT })
  const [ids, secrets] = [secretsIn(values.S3_ACCESS_KEY_ID), secretsIn(values.S3_SECRET_ACCESS_KEY)]
  if (ids === undefined || secrets === undefined)
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are required: they sign every request.')
  if (ids.length !== secrets.length)
    throw new ConfigError(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must have as many entries as each other: each secret belongs to the id in the same place.',
    )
  const origins = values.OBJECTS_ORIGINS.split(',').flatMap((origin) => origin.trim() || [])
  return {
    host: values.HOST,
    port: values.OBJECTS_PORT,
    metricsPort: values.METRICS_PORT,
    logLevel: values.LOG_LEVEL,
    folder: values.OBJECTS_DIR,
    bucket: values.VIDEO_BUCKET,
    credentials: secrets.map((secretAccessKey, index) => ({
      accessKeyId: ids[index] ?? '',
      secretAccessKey,
    })),
    allowedOrigins: origins.includes('*') ? ('*' as const) : origins,
    maxBytes: values.OBJECTS_MAX_BYTES === undefined ? undefined : Number(values.OBJECTS_MAX_BYTES),
    keepFreeBytes: Number(values.OBJECTS_KEEP_FREE_BYTES),
  }
}
