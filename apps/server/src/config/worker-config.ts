import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  address,
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
import { ffmpegKeys, objectStoreKeys } from './video-keys.ts'

const group = 'Workers'

/** Every configuration key of a worker. The reference page is generated from this table. */
const keys = {
  HOST: listeningKeys.HOST,
  WORK_PORT: { group, schema: port(3003, 'Port of /health/live and /health/ready; 0 = any free port') },
  METRICS_PORT: listeningKeys.METRICS_PORT,
  LOG_LEVEL: listeningKeys.LOG_LEVEL,
  REDIS_URL: {
    group,
    secret: true,
    schema: address(
      'redis|rediss',
      'Redis from which the worker takes jobs, the same as the server’s; required',
    ),
  },
  BACKEND_URL: {
    group,
    accepts: URL.canParse,
    schema: address('https?', 'Address at which the worker reaches the server, or a router; required'),
  },
  INTERNAL_API_KEY: {
    group,
    secret: true,
    schema: text('The server’s INTERNAL_API_KEY; of several, the first is sent; required'),
  },
  WORK_DIR: {
    group,
    fallback: '`atrium-work` in the system’s folder for temporary files',
    schema: text(
      'Folder for originals and output while they are transcoded, with space for about twice the largest original per worker. Workers on one machine may share it',
    ),
  },
  ...objectStoreKeys,
  ...ffmpegKeys,
} as const satisfies Record<string, Key>

export const workerKeys = describeKeys(keys)

export type WorkerConfig = ReturnType<typeof readWorkerConfig>

export function readWorkerConfig(env: NodeJS.ProcessEnv) {
  const values = readKeys(keys, env)
  refuseSamePort('WORK_PORT', { port: values.WORK_PORT, metricsPort: values.METRICS_PORT })
  return {
    host: values.HOST,
    port: values.WORK_PORT,
    metricsPort: values.METRICS_PORT,
    logLevel: values.LOG_LEVEL,
    redisUrl: required('REDIS_URL', values.REDIS_URL, 'it holds the queue of jobs'),
    backend: {
      url: required('BACKEND_URL', values.BACKEND_URL, 'workers report to the server how a job has ended'),
      key: required(
        'INTERNAL_API_KEY',
        secretsIn(values.INTERNAL_API_KEY)?.[0],
        'the server accepts no reports without it',
      ),
    },
    workDir: values.WORK_DIR ?? join(tmpdir(), 'atrium-work'),
    objectStore: {
      endpoint: required('S3_ENDPOINT', values.S3_ENDPOINT, 'it holds the videos'),
      region: values.S3_REGION,
      accessKeyId: required('S3_ACCESS_KEY_ID', values.S3_ACCESS_KEY_ID, signed),
      secretAccessKey: required('S3_SECRET_ACCESS_KEY', values.S3_SECRET_ACCESS_KEY, signed),
      forcePathStyle: values.S3_FORCE_PATH_STYLE,
    },
    bucket: values.VIDEO_BUCKET,
    ffmpeg: { path: values.FFMPEG_PATH, probePath: values.FFPROBE_PATH, preset: values.FFMPEG_PRESET },
  }
}

const signed = 'every request to the object store is signed'

function required(name: string, value: string | undefined, reason: string): string {
  if (value === undefined) throw new ConfigError(`${name} is required: ${reason}.`)
  return value
}
