import { createHash } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { S3Error } from '../http/s3-error.ts'
import type { Draft, Drafts } from './drafts.ts'
import { type Folders, syncFolder } from './durable.ts'
import { createKeyLocks } from './key-locks.ts'
import { type Layout, newUploadId, uploadFile, uploadIdPattern } from './layout.ts'
import type { Objects, WriteCondition } from './objects.ts'
import { linkOrCopy, type PieceFolders } from './piece-folders.ts'
import { type Facts, type ObjectFacts, type Pieces, seal } from './sealed-file.ts'
import type { Space } from './space.ts'

/** What is kept on disk about an upload. */
export interface UploadFacts {
  key: string
  headers: Record<string, string>
  /** Epoch milliseconds. */
  initiatedAt: number
}

export interface OpenUpload extends UploadFacts {
  uploadId: string
  parts: Map<number, Facts>
}

export interface Uploads {
  create(key: string, headers: Record<string, string>, now: number): Promise<string>
  /** Throws NoSuchUpload unless there is an open upload of this key. */
  find(key: string, uploadId: string): OpenUpload
  list(): OpenUpload[]
  /** Makes a draft the part, in place of an earlier one with its number. */
  putPart(upload: OpenUpload, partNumber: number, draft: Draft, facts: Facts): Promise<void>
  /** Makes one part of another object's piece the part, without copying bytes. */
  linkPart(upload: OpenUpload, partNumber: number, from: string, facts: Facts): Promise<void>
  /** The object, made of these parts. They must be stored and in order. */
  complete(
    upload: OpenUpload,
    partNumbers: number[],
    now: number,
    condition?: WriteCondition,
  ): Promise<ObjectFacts>
  /** Lets `publish` use pieces with the same bytes as those of another object, whose folder must be held. */
  duplicate(pieces: Pieces, key: string, publish: (copy: Pieces) => Promise<void>): Promise<void>
  abort(upload: OpenUpload): Promise<void>
  /** Waits until nobody changes the upload. */
  exclusively<Result>(uploadId: string, work: () => Promise<Result>): Promise<Result>
}

interface UploadsDeps {
  layout: Layout
  objects: Objects
  drafts: Drafts
  folders: Folders
  pieceFolders: PieceFolders
  space: Space
  /** Those that were open when the last process ended. */
  open: Map<string, OpenUpload>
}

/** Of an object in parts: the MD5 of the MD5s, and their number. */
const multipartEtag = (etags: readonly string[]): string => {
  const md5 = createHash('md5')
  for (const etag of etags) md5.update(Buffer.from(etag, 'hex'))
  return `${md5.digest('hex')}-${etags.length}`
}

export function createUploads({
  layout,
  objects,
  drafts,
  folders,
  pieceFolders,
  space,
  open,
}: UploadsDeps): Uploads {
  const locks = createKeyLocks()

  function find(key: string, uploadId: string): OpenUpload {
    const upload = uploadIdPattern.test(uploadId) ? open.get(uploadId) : undefined
    if (upload?.key !== key) throw new S3Error('NoSuchUpload')
    return upload
  }

  /** A folder with the facts of an upload in it, which appears complete or not at all. */
  async function makeUploadFolder(
    name: string,
    facts: UploadFacts,
    fill: (path: string) => Promise<void>,
  ): Promise<string> {
    const uploadId = newUploadId()
    const path = layout.newTemporary()
    try {
      await mkdir(path, { mode: 0o700 })
      await writeFile(join(path, name), JSON.stringify(facts), { mode: 0o600, flush: true })
      await fill(path)
      await syncFolder(path)
      await folders.publish(path, layout.upload(uploadId))
    } catch (error) {
      await rm(path, { recursive: true, force: true })
      throw error
    }
    return uploadId
  }

  async function setPart(upload: OpenUpload, partNumber: number, path: string, facts: Facts): Promise<void> {
    await locks.run(upload.uploadId, async () => {
      if (!open.has(upload.uploadId)) throw new S3Error('NoSuchUpload')
      await folders.publish(path, layout.part(upload.uploadId, partNumber))
      space.count(facts.size - (upload.parts.get(partNumber)?.size ?? 0))
      upload.parts.set(partNumber, facts)
    })
  }

  return {
    find,
    list: () => [...open.values()],
    exclusively: locks.run,
    async create(key, headers, now) {
      const facts = { key, headers, initiatedAt: now }
      const uploadId = await makeUploadFolder(uploadFile.open, facts, async () => undefined)
      open.set(uploadId, { ...facts, uploadId, parts: new Map() })
      return uploadId
    },
    async putPart(upload, partNumber, { path, file }, facts) {
      await seal(file, facts.size, facts)
      await setPart(upload, partNumber, path, facts)
    },
    async linkPart(upload, partNumber, from, facts) {
      const path = layout.newTemporary()
      try {
        await linkOrCopy(from, path)
        await setPart(upload, partNumber, path, facts)
      } finally {
        await rm(path, { force: true })
      }
    },
    async complete(upload, partNumbers, now, condition) {
      const { uploadId, key, headers } = upload
      const parts = partNumbers.map((number) => {
        const part = upload.parts.get(number)
        if (!part) throw new S3Error('InvalidPart')
        return { number, size: part.size, etag: part.etag }
      })
      const facts: ObjectFacts = {
        key,
        headers,
        size: parts.reduce((total, { size }) => total + size, 0),
        etag: multipartEtag(parts.map(({ etag }) => etag)),
        modifiedAt: now,
        pieces: { uploadId, parts },
      }
      await drafts.use(0, (draft) => objects.put(draft, facts, condition))
      open.delete(uploadId)
      space.count(-[...upload.parts.values()].reduce((total, { size }) => total + size, 0))
      await finishUpload(layout, uploadId, facts.pieces, upload.parts.keys())
      return facts
    },
    async duplicate({ uploadId, parts }, key, use) {
      const facts = { key, headers: {}, initiatedAt: 0 }
      const copy = await makeUploadFolder(uploadFile.completed, facts, async (path) => {
        for (const { number } of parts) {
          const from = layout.part(uploadId, number)
          await linkOrCopy(from, join(path, String(number).padStart(5, '0')))
        }
      })
      try {
        await use({ uploadId: copy, parts })
      } catch (error) {
        await pieceFolders.remove(copy)
        throw error
      }
    },
    async abort({ uploadId, parts }) {
      open.delete(uploadId)
      await pieceFolders.remove(uploadId)
      space.count(-[...parts.values()].reduce((total, { size }) => total + size, 0))
    },
  }
}

/**
 * The object refers to the parts already. From now on the folder belongs to it: parts that it does not use go, and the
 * name of the facts says that the upload is over.
 */
export async function finishUpload(
  layout: Layout,
  uploadId: string,
  pieces: Pieces | undefined,
  stored: Iterable<number>,
): Promise<void> {
  const used = new Set(pieces?.parts.map(({ number }) => number))
  for (const number of stored) if (!used.has(number)) await rm(layout.part(uploadId, number), { force: true })
  const folder = layout.upload(uploadId)
  await rename(join(folder, uploadFile.open), join(folder, uploadFile.completed))
  await syncFolder(folder)
}
