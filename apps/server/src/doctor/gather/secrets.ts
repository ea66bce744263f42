import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { secretsIn } from '@atrium/program'
import type { Config } from '../../config/config.ts'
import type { SecretFacts, SecretFileFacts } from '../judge/secrets.ts'

/** From the environment itself: a secret that the server refuses is judged, too. */
export function gatherSecrets(env: NodeJS.ProcessEnv, { hosted, databaseUrl }: Config): SecretFacts[] {
  const place = databaseUrl ? 'the database' : 'DATA_DIR'
  const list = (key: string) => [...(secretsIn(env[key]) ?? [])]
  const password = (key: string, url: string | undefined): SecretFacts => ({
    key,
    values: passwordIn(url),
    keptIn: undefined,
    isPassword: true,
  })
  return [
    // The embedded server keeps its secret where only its user can read it; that is how it is meant to be.
    {
      key: 'SESSION_SECRET',
      values: list('SESSION_SECRET'),
      keptIn: databaseUrl ? place : undefined,
      isPassword: false,
    },
    { key: 'INTERNAL_API_KEY', values: list('INTERNAL_API_KEY'), keptIn: undefined, isPassword: false },
    {
      key: 'CREDENTIAL_KEYS',
      values: list('CREDENTIAL_KEYS').map((entry) => entry.slice(entry.indexOf(':') + 1)),
      keptIn: hosted ? place : undefined,
      isPassword: false,
    },
    {
      key: 'S3_SECRET_ACCESS_KEY',
      values: [env.S3_SECRET_ACCESS_KEY?.trim() ?? ''].filter(Boolean),
      keptIn: undefined,
      isPassword: false,
    },
    password('DATABASE_URL', env.DATABASE_URL),
    password('REDIS_URL', env.REDIS_URL),
  ]
}

function passwordIn(url: string | undefined): string[] {
  if (url === undefined || !URL.canParse(url)) return []
  const { password } = new URL(url)
  return password === '' ? [] : [decoded(password)]
}

/** As it is written if a `%` in it encodes nothing: it is judged all the same, and so are the other secrets. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

/** The secrets that the embedded server has made. */
export async function gatherSecretFiles({ databaseUrl, dataDir }: Config): Promise<SecretFileFacts[]> {
  if (databaseUrl) return []
  const files = ['session-secret', 'credential-secret'].map(async (name) => {
    const path = join(dataDir, name)
    const found = await stat(path).catch(() => undefined)
    return found ? [{ path, mode: found.mode }] : []
  })
  return (await Promise.all(files)).flat()
}
