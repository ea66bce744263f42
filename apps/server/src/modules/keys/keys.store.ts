import type { KeyAccess } from '@atrium/contract'

/** R49: a key as it is stored: everything but the key itself. */
export interface KeyRecord {
  keyId: string
  /** Of the whole key. */
  hash: string
  issuer: string
  subject: string
  /** K4: as verified when the key was made; shares may name it. */
  verifiedEmail: string | null
  name: string
  access: KeyAccess
  /** `null`: all that its owner may see. */
  experiments: readonly string[] | null
  createdAt: number
  lastUsedAt: number | null
  expiresAt: number | null
}

/** A position in a list of keys. */
interface KeyPlace {
  createdAt: number
  keyId: string
}

/** Whose keys somebody sees; `null`: everybody's. */
export type KeyOwner = Pick<KeyRecord, 'issuer' | 'subject'> | null

export interface KeyStore {
  /** Refused if its owner has `max` already. */
  create(key: KeyRecord, max: number): Promise<'created' | 'too_many'>
  find(keyId: string): Promise<KeyRecord | undefined>
  /** Newest first. */
  list(listing: { owner: KeyOwner; before: KeyPlace | null; limit: number }): Promise<KeyRecord[]>
  /** Deletes it, with the e-mail address. False if there is no such key of this owner. */
  revoke(revocation: { keyId: string; owner: KeyOwner; actor: string; now: number }): Promise<boolean>
  /** Unless it was used at or after `unlessSince` already, as other instances may have said. */
  used(use: { keyId: string; at: number; unlessSince: number }): Promise<void>
}
