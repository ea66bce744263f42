import { mediaTypes, objectKeys, type UploadedMedia } from '@atrium/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { newMediaId } from '../../../kernel/ids.ts'
import { actorOf, type Identity } from '../../identity/index.ts'
import type { MediaFile, MediaFileStore } from '../media-files.store.ts'
import type { ObjectAccess } from '../object-access.ts'
import { type InspectedMedia, inspectUpload, type ReceivedPart } from './inspect.ts'

export interface MediaUploadDeps {
  store: MediaFileStore
  objects: ObjectAccess
  clock: Clock
  /** Whether nothing of these is left; what fails now is done by the sweep. */
  erase(mediaIds: readonly string[]): Promise<void>
}

/** R67, V24: takes the files of a form, all of them or none. */
export function createMediaUploads({ store, objects, clock, erase }: MediaUploadDeps) {
  /** First the records: an object without one would stay for ever. */
  async function create(owner: string, inspected: readonly InspectedMedia[]) {
    const createdAt = clock.now()
    const fresh = inspected.map((file) => newFile(file, owner, createdAt))
    const created = await store.create({ owner, files: fresh })
    if (created.kind === 'created')
      return { files: created.files, freshIds: fresh.map(({ mediaId }) => mediaId) }
    throw created.kind === 'taken' ? nameTaken(created.names) : new AppError('MEDIA_LIMIT')
  }

  /** Those whose bytes are not there yet, also because an earlier upload of the same file was cut off. */
  async function put(files: readonly MediaFile[], inspected: readonly InspectedMedia[]): Promise<void> {
    const contents = new Map(inspected.map(({ name, open }) => [name, open]))
    const missing = files.filter(({ storedAt }) => storedAt === null)
    for (const { mediaId, name, bytes, contentType } of missing) {
      const open = contents.get(name)
      if (!open) throw new Error('a file is to be stored that was not inspected')
      const key = objectKeys.mediaFile(mediaId)
      await objects((blobs) => blobs.put(key, open(), { size: bytes, contentType }))
    }
    const ids = missing.map(({ mediaId }) => mediaId)
    if (!(await store.stored(ids, clock.now()))) throw new AppError('UNAVAILABLE')
  }

  return async (identity: Identity, parts: readonly ReceivedPart[]): Promise<UploadedMedia> => {
    const inspected = await inspectUpload(parts)
    if (inspected.kind === 'refused') throw refused(inspected.issues)
    const { files, freshIds } = await create(actorOf(identity), inspected.files)
    try {
      await put(files, inspected.files)
    } catch (error) {
      // Not what somebody else is storing at the same moment.
      await store.discard(freshIds, clock.now())
      await erase(freshIds)
      throw error
    }
    return { media: files.map(({ mediaId, name, kind, bytes }) => ({ mediaId, name, kind, bytes })) }
  }
}

const newFile = (
  { name, type, bytes, sha256 }: InspectedMedia,
  owner: string,
  createdAt: number,
): MediaFile => ({
  mediaId: newMediaId(),
  owner,
  name,
  kind: mediaTypes[type],
  contentType: type,
  bytes,
  sha256,
  createdAt,
  storedAt: null,
})

/** Sentences that name the file; the path is the same for all. */
function refused(issues: readonly string[]): AppError {
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  const details = { issues: issues.map((message) => ({ path: '/file', message })) }
  return new AppError('VALIDATION_FAILED', details, `${issues[0]}${more}.`)
}

/** V24: names are how tables and people find a file, so each means one. */
export function nameTaken(names: readonly string[]): AppError {
  const [first = ''] = names
  const more = names.length > 1 ? ` and for ${names.length - 1} more` : ''
  return new AppError(
    'MEDIA_NAME_TAKEN',
    { names: names.slice(0, 20) },
    `You have another file named ‘${first}’${more}. Give this one another name, or rename or delete the other one first.`,
  )
}
