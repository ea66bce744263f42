import { resolve } from 'node:path'
import type { Limits, Store } from '../operations/store.ts'
import { createDrafts } from './drafts.ts'
import { createFolders } from './durable.ts'
import { layoutOf } from './layout.ts'
import { createObjects } from './objects.ts'
import { createPieceFolders } from './piece-folders.ts'
import { recover } from './recovery.ts'
import { createSpace, type Space } from './space.ts'
import { createUploads } from './uploads.ts'

interface OpenStoreOptions {
  folder: string
  bucket: string
  limits: Limits
  maxBytes?: number | undefined
  keepFreeBytes: number
  onError(error: unknown, what: { path?: string }): void
  now(): number
}

/** Recovers the folder and puts the parts together. */
export async function openStore(options: OpenStoreOptions): Promise<{ store: Store; space: Space }> {
  const { bucket, limits, now, onError } = options
  const layout = layoutOf(resolve(options.folder))
  const folders = createFolders()
  const open = await recover(layout, folders, (path, message) => onError(new Error(message), { path }))
  const space = await createSpace({ ...options, folder: layout.folder })
  const pieceFolders = createPieceFolders(layout, (error) => onError(error, { path: layout.uploads }))
  const drafts = createDrafts(layout, space)
  const objects = createObjects({ layout, space, folders, pieceFolders })
  const uploads = createUploads({ layout, objects, drafts, folders, pieceFolders, space, open })

  return {
    space,
    store: { bucket, limits, layout, objects, uploads, drafts, now },
  }
}
