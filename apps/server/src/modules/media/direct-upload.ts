import type { Readable } from 'node:stream'
import { objectKeys } from '@atrium/contract'
import { newVideoId } from '../../kernel/ids.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import { plainType } from './file-name.ts'
import type { MediaParts } from './media-parts.ts'
import { newVideo } from './video.ts'

export interface ArrivedFile {
  filename: string
  contentType: string
  size: number
  open(): Readable
}

/** R31: small files, in one request. */
export function createDirectUpload(parts: MediaParts) {
  const { store, objects, clock } = parts
  return async (identity: Identity, file: ArrivedFile): Promise<{ videoId: string; key: string }> => {
    const { filename, size } = file
    const videoId = newVideoId()
    const key = objectKeys.original(videoId, filename)
    const contentType = plainType(file.contentType)
    const facts = { videoId, owner: actorOf(identity), filename, contentType, size, storageKey: key }
    const video = newVideo({ ...facts, uploadId: null, createdAt: clock.now() }, null)
    // First the record: an object without one would stay for ever.
    await store.create(video)
    try {
      await objects((blobs) => blobs.put(key, file.open(), { size, contentType }))
    } catch (error) {
      // An experiment that names it already keeps its record, as one of an upload that was not finished.
      await store.discard(videoId, clock.now())
      await parts.erase(video)
      throw error
    }
    await parts.stored(video)
    return { videoId, key }
  }
}
