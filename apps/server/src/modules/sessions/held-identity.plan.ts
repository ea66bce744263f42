import { marksOf, opened, type SealingKeys, sealed } from '../../kernel/sealed.ts'
import type { PersonKey } from './sessions.store.ts'

/** Issuer of an identity that is held until consent is given: its subject is a mark, and who it is stands sealed in the metadata. */
export const heldIssuer = 'atrium:held'
/** Issuer of somebody who declined, with the same mark. It goes soon after. */
export const declinedIssuer = 'atrium:declined'

interface HeldIdentity {
  person: PersonKey
  metadata: Record<string, unknown>
}

/** R94: the metadata to store until consent is given. */
export const heldMetadata = (keys: SealingKeys, { person, metadata }: HeldIdentity): string =>
  JSON.stringify({ held: sealed(keys, JSON.stringify({ person, metadata })) })

/** What has been held; undefined if nobody can open it any more. */
export function heldIn(keys: SealingKeys, metadata: { held?: unknown }): HeldIdentity | undefined {
  const text = typeof metadata.held === 'string' ? opened(keys, metadata.held) : undefined
  return text === undefined ? undefined : (JSON.parse(text) as HeldIdentity)
}

/** By which the same person is found again. */
export const marksOfPerson = (keys: SealingKeys, { issuer, subject }: PersonKey): string[] =>
  marksOf(keys, JSON.stringify([issuer, subject]))
