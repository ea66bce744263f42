import { randomBytes } from 'node:crypto'
import { usingKey } from '@atrium/program'
import { findSecret, keepSecret } from '../adapters/disk/kept-secret.ts'
import { type SealingKey, sealingKeyFrom } from '../kernel/sealing-keys.ts'
import { createKeyBox, type KeyBox } from '../modules/agents/index.ts'
import type { Ports } from './ports.ts'

/** Encrypts what researchers entrust to the platform: API keys of model servers, tokens for Prolific. */
export const openKeyBox = async (ports: Ports): Promise<KeyBox> => createKeyBox(await sealingKeys(ports))

/**
 * Without configured keys, the one that encrypts is kept like the session secret. It still decrypts once there are
 * configured ones, so that they can be introduced later.
 */
async function sealingKeys({
  config: { credentialKeys = [], databaseUrl, dataDir, hosted },
  database,
  onShared,
  warn,
}: Ports): Promise<readonly [SealingKey, ...SealingKey[]]> {
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
