import type { CredentialPage } from '@atrium/contract'
import type { CredentialCursor, CredentialSight, CredentialStore } from '../credentials.store.ts'
import { viewOf } from './credential-view.ts'
import type { KeyBox } from './key-box.ts'

export interface CredentialQuery {
  limit: number
  /** The `next` of the previous page. */
  before: string | null
}

export async function listCredentials(
  { store, box }: { store: CredentialStore; box: KeyBox },
  sight: CredentialSight,
  actor: string,
  { limit, before }: CredentialQuery,
): Promise<CredentialPage> {
  // One more than requested shows whether there is another page.
  const cursor = before === null ? null : readCursor(before)
  const found = await store.visible({ sight, before: cursor, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    credentials: shown.map((seen) => viewOf(seen, actor, box)),
    next: last && found.length > limit ? writeCursor(last.credential) : null,
  }
}

const writeCursor = ({ createdAt, credentialId }: CredentialCursor): string => `${createdAt}.${credentialId}`

/** The contract accepts only what `writeCursor` writes. */
function readCursor(text: string): CredentialCursor {
  const end = text.indexOf('.')
  return { createdAt: Number(text.slice(0, end)), credentialId: text.slice(end + 1) }
}
