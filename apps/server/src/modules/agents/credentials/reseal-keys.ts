import type { CredentialStore } from '../credentials.store.ts'
import type { KeyBox } from './key-box.ts'

/** Where sealed keys are kept. */
export type SealedKeyStore = Pick<CredentialStore, 'sealedOtherwise' | 'reseal'>

interface ResealDeps {
  store: SealedKeyStore
  box: KeyBox
  warn(facts: Record<string, unknown>, message: string): void
}

const atOnce = 100

/**
 * Seals every key again that is sealed with an older one, so that the older one can be removed from the configuration. A key
 * that cannot be opened stays as it is: the missing one may come back. Several instances may do this at the same time.
 */
export async function resealKeys({ store, box, warn }: ResealDeps): Promise<void> {
  let after = ''
  for (;;) {
    const found = await store.sealedOtherwise({ prefix: box.currentPrefix, after, limit: atOnce })
    for (const { credentialId, sealedKey } of found) {
      const opened = box.open(sealedKey, credentialId)
      if (opened.kind === 'opened')
        await store.reseal({ credentialId, from: sealedKey, to: box.seal(opened.text, credentialId) })
      else
        warn(
          { credentialId, ...(opened.kind === 'key_missing' && { keyId: opened.keyId }) },
          opened.kind === 'key_missing'
            ? 'the API key of a credential cannot be decrypted: CREDENTIAL_KEYS no longer has the key it was encrypted with'
            : 'the API key of a credential cannot be decrypted: its row is damaged',
        )
      after = credentialId
    }
    if (found.length < atOnce) return
  }
}
