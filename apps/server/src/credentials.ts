import { randomBytes } from 'node:crypto'
import { modelCheckNames } from '@atrium/contract'
import { checkModelServer } from '@atrium/model-checks'
import { usingKey } from '@atrium/program'
import { findSecret, keepSecret } from './adapters/disk/kept-secret.ts'
import type { Database } from './adapters/sql/stores.ts'
import type { Config } from './config/config.ts'
import type { Clock } from './kernel/clock.ts'
import { type SealingKey, sealingKeyFrom } from './kernel/sealing-keys.ts'
import {
  type CheckServer,
  type Credentials,
  createCredentials,
  createKeyBox,
  type KeyBox,
} from './modules/agents/index.ts'

/** What the keys that encrypt are read with. */
export interface KeyBoxContext {
  database: Database
  /** Called for a path that other users may read. */
  onShared(path: string): void
  warn(facts: Record<string, unknown>, message: string): void
}

export interface CredentialContext {
  database: Database
  box: KeyBox
  /** Sends everything that goes to a model server when a credential is tested. */
  fetch: typeof globalThis.fetch
  clock: Clock
  warn(facts: Record<string, unknown>, message: string): void
  onBackgroundError(error: unknown): void
}

/** Encrypts what researchers entrust to the platform: API keys of model servers, tokens for Prolific. */
export const openKeyBox = async (config: Config, context: KeyBoxContext): Promise<KeyBox> =>
  createKeyBox(await sealingKeys(config, context))

/** R42: credentials of model servers. */
export function openCredentials(config: Config, context: CredentialContext): Credentials {
  const { database, box, fetch, clock, warn, onBackgroundError } = context
  return createCredentials({
    store: database.credentials,
    box,
    httpsOnly: config.hosted,
    checkServer: checkWith(fetch),
    clock,
    warn,
    onBackgroundError,
  })
}

/**
 * Without configured keys, the one that encrypts is kept like the session secret. It still decrypts once there are
 * configured ones, so that they can be introduced later.
 */
async function sealingKeys(
  config: Config,
  { database, onShared, warn }: KeyBoxContext,
): Promise<readonly [SealingKey, ...SealingKey[]]> {
  const { credentialKeys = [], databaseUrl, dataDir, hosted } = config
  const [first, ...others] = credentialKeys
  if (first) {
    const kept = databaseUrl
      ? await database.secrets.find(nameInDatabase)
      : await usingKey('DATA_DIR', () => findSecret(dataDir, 'credential-secret', onShared))
    return [first, ...others, ...(kept === undefined ? [] : [sealingKeyFrom(kept)])]
  }
  if (hosted)
    warn(
      {},
      'CREDENTIAL_KEYS is not set: the API keys of credentials are encrypted, but the key to them is stored beside them',
    )
  const kept = databaseUrl
    ? await database.secrets.keepFirst(nameInDatabase, randomBytes(32).toString('base64url'))
    : await usingKey('DATA_DIR', () => keepSecret(dataDir, 'credential-secret', onShared))
  return [sealingKeyFrom(kept)]
}

const nameInDatabase = 'credential_secret'

/** The checks of the agent tool's `verify`, as far as the contract asks for them. */
const checkWith =
  (fetch: typeof globalThis.fetch): CheckServer =>
  async (server, { signal, onBegun, onChecked }) => {
    const { ok, checks } = await checkModelServer({
      ...server,
      further: false,
      fetch,
      signal,
      onChecked,
      onProgress({ check }) {
        const name = modelCheckNames.find((known) => known === check)
        if (name) onBegun(name)
      },
    })
    return { ok, checks }
  }
