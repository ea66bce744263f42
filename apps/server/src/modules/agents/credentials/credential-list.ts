import type { CredentialPage } from '@atrium/contract'
import { listCursor } from '../../../kernel/list-cursor.ts'
import type { CredentialSight, CredentialStore } from '../credentials.store.ts'
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

const { write: writeCursor, read: readCursor } = listCursor('createdAt', 'credentialId')
