import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import {
  isMediaFile,
  type MediaFileLike,
  mediaBatches,
  type UploadProgress,
  uploadMedia,
} from '@atrium/client/node'

interface MediaAccess {
  baseUrl: string
  getIdToken(wish: { isRefresh: boolean }): Promise<string>
  signal: AbortSignal
  onProgress(progress: UploadProgress): void
}

/** A file that the platform may take as a picture, a sound or a ZIP of them. */
export const isMediaPath = (path: string): boolean => isMediaFile({ type: '', name: basename(path) })

/** Uploads pictures and sounds, as many in a request as fit. Returns a line about each that the platform stored. */
export async function uploadMediaPaths(paths: readonly string[], access: MediaAccess): Promise<string[]> {
  const files = await Promise.all(paths.map(readable))
  const lines: string[] = []
  for (const batch of mediaBatches(files)) {
    const stored = await uploadMedia(batch, access)
    lines.push(
      ...stored.map(({ name, mediaId, kind }) => `${name} is uploaded as a ${kind}. Its id: ${mediaId}`),
    )
  }
  return lines
}

/** Read from the disk when it is sent. */
async function readable(path: string): Promise<MediaFileLike> {
  return Object.assign(await openAsBlob(path), { name: basename(path) })
}
