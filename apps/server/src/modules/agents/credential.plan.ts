import type { CredentialTest } from '@atrium/contract'

export interface CredentialRecord {
  credentialId: string
  /** Who made it, as in the audit log. */
  owner: string
  name: string
  baseUrl: string
  model: string
  timeoutMs: number
  /** What a `KeyBox` made of the API key. */
  sealedKey: string
  keyHint: string
  createdAt: number
  changedAt: number
  lastTest: { at: number; result: CredentialTest } | null
}

export interface CredentialChange {
  name: string
  baseUrl: string
  model: string
  timeoutMs: number
  /** Null keeps the key. */
  key: Pick<CredentialRecord, 'sealedKey' | 'keyHint'> | null
  actor: string
  now: number
}

/**
 * The changed credential. Undefined if the key has to be given again: otherwise whoever may change a credential could
 * have its key, which they never see, sent to a server of their own.
 */
export function changeCredential(
  before: CredentialRecord,
  { name, baseUrl, model, timeoutMs, key, now }: CredentialChange,
): CredentialRecord | undefined {
  if (!key && new URL(baseUrl).origin !== new URL(before.baseUrl).origin) return undefined
  const isSameServer = !key && baseUrl === before.baseUrl && model === before.model
  return {
    ...before,
    ...key,
    name,
    baseUrl,
    model,
    timeoutMs,
    changedAt: now,
    lastTest: isSameServer ? before.lastTest : null,
  }
}

/** What the audit log keeps: enough to see where a key went, and never the key. */
export const auditedFields = ({
  name,
  baseUrl,
  model,
  timeoutMs,
}: Omit<CredentialChange, 'key' | 'actor' | 'now'>) => ({
  name,
  baseUrl,
  model,
  timeoutMs,
})
