import { isMediaType, mediaKinds } from '@atrium/contract'
import type { Selectable } from 'kysely'
import type { MediaFile } from '../../../modules/media/media-files.store.ts'
import type { Tables } from '../tables.ts'

type MediaRow = Selectable<Tables['media_files']>

export const asMediaFile = (row: MediaRow): MediaFile => ({
  mediaId: row.media_id,
  owner: row.owner,
  name: row.name,
  kind: kindIn(row),
  // A newer release may know more types than this one.
  contentType: isMediaType(row.content_type) ? row.content_type : 'image/png',
  bytes: row.bytes,
  sha256: row.sha256,
  createdAt: row.created_at,
  storedAt: row.stored_at,
})

export const kindIn = ({ kind }: Pick<MediaRow, 'kind'>): MediaFile['kind'] =>
  mediaKinds.find((known) => known === kind) ?? 'picture'

export const mediaRowOf = (file: MediaFile): MediaRow => ({
  media_id: file.mediaId,
  owner: file.owner,
  name: file.name,
  kind: file.kind,
  content_type: file.contentType,
  bytes: file.bytes,
  sha256: file.sha256,
  created_at: file.createdAt,
  stored_at: file.storedAt,
  removed_at: null,
})
