import { readConfig as readRouterConfig, routerKeys } from '../../apps/router/src/config.ts'
import { readConfig } from '../../apps/server/src/config/config.ts'
import { configurationKeys } from '../../apps/server/src/config/server-keys.ts'
import { webKeys } from '../../apps/server/src/config/web-config.ts'
import { readWorkerConfig, workerKeys } from '../../apps/server/src/config/worker-config.ts'
import { objectStoreKeys, readConfig as readStoreConfig } from '../../packages/object-store/src/config.ts'

interface DeployedProgram {
  keys: Array<{ name: string; secret: boolean }>
  /** Throws a sentence that names the key if the program would refuse to start. */
  read(env: Record<string, string>): unknown
}

/** Every program of the image by its entry, with the keys that it reads and how it reads them. */
export const deployedPrograms: Record<string, DeployedProgram> = {
  'programs/serve.mjs': {
    keys: configurationKeys,
    read: (env) => readConfig(env, 'host'),
  },
  'programs/route.mjs': { keys: routerKeys, read: readRouterConfig },
  // Its configuration also looks for the built pages, which are in the image only.
  'programs/web.mjs': { keys: webKeys, read: (env) => env },
  'programs/work.mjs': { keys: workerKeys, read: readWorkerConfig },
  'programs/store.mjs': { keys: objectStoreKeys, read: readStoreConfig },
}

/** What an operator would put into the secret. */
export const sampleSecrets: Record<string, string> = {
  DATABASE_URL: 'postgres://atrium:password@database.internal/atrium',
  REDIS_URL: 'redis://redis.internal:6379',
  SESSION_SECRET: 'a-sample-of-32-random-characters',
  INTERNAL_API_KEY: 'another-sample-of-32-characters!',
  S3_ACCESS_KEY_ID: 'SAMPLEACCESSKEY',
  S3_SECRET_ACCESS_KEY: 'sample-secret-of-the-access-key',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=sample',
  CREDENTIAL_KEYS: `2026:${Buffer.alloc(32, 1).toString('base64')}`,
}
