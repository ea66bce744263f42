import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  address,
  ConfigError,
  describeKeys,
  type Key,
  listeningKeys,
  port,
  readKeys,
  refuseSamePort,
  text,
} from '@atrium/program'
import { objectStoreKeys } from './video-keys.ts'

const ownBuild = fileURLToPath(new URL('../../../web/dist', import.meta.url))
const isBuild = (folder: string): boolean => existsSync(join(folder, 'index.html'))

export const webDirKey = {
  group: 'Web app',
  accepts: isBuild,
  schema: text('Folder of the built web app; unset = this repository’s own, when it is built', {
    expected: 'a folder that holds the built web app (with index.html in it)',
  }),
} as const satisfies Key

export const webFolderOf = (configured: string | undefined): string | undefined =>
  configured ?? (isBuild(ownBuild) ? ownBuild : undefined)

/** Every key of the program that serves only the web app. The reference page is generated from this table. */
const keys = {
  HOST: listeningKeys.HOST,
  WEB_PORT: { group: 'Web app', schema: port(3002, 'Port of the web app; 0 = any free port') },
  METRICS_PORT: listeningKeys.METRICS_PORT,
  WEB_DIR: webDirKey,
  OIDC_ISSUER: {
    group: 'Web app',
    accepts: URL.canParse,
    schema: address('https?', 'Identity provider that pages may call; same as for the server'),
  },
  S3_ENDPOINT: {
    ...objectStoreKeys.S3_ENDPOINT,
    group: 'Web app',
    schema: address('https?', 'Object store that the console uploads videos to; same as for the server'),
  },
  S3_FORCE_PATH_STYLE: { ...objectStoreKeys.S3_FORCE_PATH_STYLE, group: 'Web app' },
  VIDEO_BUCKET: { ...objectStoreKeys.VIDEO_BUCKET, group: 'Web app' },
  LOG_LEVEL: listeningKeys.LOG_LEVEL,
} as const satisfies Record<string, Key>

export const webKeys = describeKeys(keys)

export function readWebConfig(env: NodeJS.ProcessEnv) {
  const values = readKeys(keys, env)
  refuseSamePort('WEB_PORT', { port: values.WEB_PORT, metricsPort: values.METRICS_PORT })
  const folder = webFolderOf(values.WEB_DIR)
  if (folder === undefined)
    throw new ConfigError('WEB_DIR is required: the web app is not built here. `npm run build` builds it.')
  return {
    host: values.HOST,
    port: values.WEB_PORT,
    metricsPort: values.METRICS_PORT,
    folder,
    issuer: values.OIDC_ISSUER,
    objectStore: {
      endpoint: values.S3_ENDPOINT,
      bucket: values.VIDEO_BUCKET,
      forcePathStyle: values.S3_FORCE_PATH_STYLE,
    },
    logLevel: values.LOG_LEVEL,
  }
}
