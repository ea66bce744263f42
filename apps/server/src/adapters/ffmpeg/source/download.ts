import { createWriteStream } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ByteRange } from '../../../ports/blob-store.ts'
import { UnusableSource } from '../../../ports/transcoder.ts'
import type { JobSpace } from '../disk-space.ts'
import type { ObjectAccess } from '../object-access.ts'
import { sourceName } from '../programs/demuxers.ts'
import type { SourceFile } from './source-file.ts'

export interface Download {
  store: ObjectAccess
  storageKey: string
  folder: string
  signal: AbortSignal
  space: JobSpace
  /** Of the original. */
  size: number
  /** Called with every piece: bytes so far. */
  onBytes(bytes: number): void
}

const gone = () =>
  new UnusableSource('The original of this video is no longer stored. Please upload it again.')

export async function sizeOfOriginal(store: ObjectAccess, storageKey: string): Promise<number> {
  const facts = await store.head(storageKey)
  if (facts === undefined) throw gone()
  return facts.size
}

/** The whole original, under our own name in the folder. */
export async function downloadWhole(download: Download): Promise<SourceFile> {
  const { space, size, onBytes, folder } = download
  await space.reserve(size)
  const bytes = await copyRange({
    ...download,
    onBytes(bytes) {
      space.remaining(size - bytes)
      onBytes(bytes)
    },
  })
  return { folder, size: bytes, isWhole: true }
}

const mib = 2 ** 20
/** Others fill the disk too while a video of many gigabytes arrives. */
const checkSpaceEveryBytes = 32 * mib
/** Enough for the header and the first frames, and for the index of a video of several hours, which is often at the end. */
const edges = { first: 16 * mib, last: 32 * mib }
export const wholeUpToBytes = 64 * mib

/**
 * Only the beginning and the end, with a hole between them that takes no space: enough to learn what nearly every video
 * is, without copying 10 GB for it.
 */
export async function downloadEdges(download: Download): Promise<SourceFile> {
  const { space, size } = download
  await space.reserve(edges.first + edges.last)
  await copyRange(download, { first: 0, last: edges.first - 1 })
  await truncate(join(download.folder, sourceName), size)
  await copyRange(download, { first: size - edges.last })
  return { folder: download.folder, size, isWhole: false }
}

async function copyRange(
  { store, storageKey, folder, signal, space, onBytes }: Download,
  range?: ByteRange,
): Promise<number> {
  const blob = await store.open(storageKey, range)
  if (blob === undefined) throw gone()
  let bytes = 0
  let checkedAt = 0
  async function* counted(pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      bytes += piece.length
      onBytes(bytes)
      if (bytes - checkedAt >= checkSpaceEveryBytes) {
        await space.check()
        checkedAt = bytes
      }
      yield piece
    }
  }
  const start = range?.first ?? 0
  const options = { flags: start === 0 ? 'w' : 'r+', start, mode: 0o600 }
  await pipeline(blob.stream, counted, createWriteStream(join(folder, sourceName), options), { signal })
  if (bytes !== (range === undefined ? blob.size : (blob.range?.last ?? 0) - start + 1))
    throw new Error('the object store sent fewer bytes than announced')
  return bytes
}
