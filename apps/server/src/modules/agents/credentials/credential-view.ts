import { type Credential, customProvider } from '@atrium/contract'
import type { CredentialRecord } from '../credential.plan.ts'
import type { SeenCredential } from '../credentials.store.ts'
import type { KeyBox } from './key-box.ts'

const hintCharacters = 4
/** Of a shorter key, four characters would be too large a part. */
const minHintedCharacters = 16

export const keyHintOf = (apiKey: string): string =>
  apiKey.length < minHintedCharacters ? '' : apiKey.slice(-hintCharacters)

/** What the API shows of a credential. */
export const viewOf = ({ credential, usedBy }: SeenCredential, actor: string, box: KeyBox): Credential => ({
  credentialId: credential.credentialId,
  name: credential.name,
  provider: customProvider,
  baseUrl: credential.baseUrl,
  model: credential.model,
  timeoutMs: credential.timeoutMs,
  keyHint: credential.keyHint,
  isKeyReadable: box.canOpen(credential.sealedKey),
  isOwn: credential.owner === actor,
  createdAt: isoTime(credential.createdAt),
  changedAt: isoTime(credential.changedAt),
  ...lastTestOf(credential),
  usedBy,
})

const lastTestOf = ({ lastTest }: CredentialRecord): Pick<Credential, 'lastTestedAt' | 'lastTest'> =>
  lastTest
    ? { lastTestedAt: isoTime(lastTest.at), lastTest: lastTest.result }
    : { lastTestedAt: null, lastTest: null }

const isoTime = (ms: number): string => new Date(ms).toISOString()
