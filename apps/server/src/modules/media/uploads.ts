import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { limits, objectKeys, videoIdOfOriginal } from '@atrium/contract'
import { AppError, validationFailed } from '../../kernel/app-error.ts'
import { newVideoId } from '../../kernel/ids.ts'
import type { Upload } from '../../ports/blob-store.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { VideoLifecycle } from './lifecycle.ts'
import { type ClaimedPart, partCountOf, partIssues, partSizeOf, withoutQuotes } from './multipart.ts'
import { type FileFacts, plainType, refuseFile } from './uploaded-file.ts'
import { newVideo, type Video } from './video.plan.ts'

/** Signing is quick, but a video may have thousands of parts, and other requests wait for the event loop. */
const signedAtOnce = 50

/** R31: uploads in parts. The parts go straight to the object store; only the beginning and the end come here. */
export function createUploads(lifecycle: VideoLifecycle) {
  const { store, objects, clock, maxBytes } = lifecycle

  /** V2: to everybody else the upload does not exist. */
  async function find(identity: Identity, { key, uploadId }: Upload): Promise<Video> {
    const videoId = videoIdOfOriginal(key)
    const video = videoId === undefined ? undefined : await store.find(videoId)
    const isTheirs = video && (identity.isAdmin || video.owner === actorOf(identity))
    if (!isTheirs || video.uploadId !== uploadId || video.storageKey !== key)
      throw new AppError('UPLOAD_NOT_FOUND')
    return video
  }

  async function findOpen(identity: Identity, upload: Upload): Promise<Video> {
    const video = await find(identity, upload)
    if (video.storedAt !== null) throw new AppError('UPLOAD_NOT_FOUND')
    return video
  }

  async function signParts(upload: Upload, size: number, partNumbers: readonly number[], origin: string) {
    const signed: { partNumber: number; url: string }[] = []
    for (const partNumber of partNumbers) {
      const part = { ...upload, partNumber, size: partSizeOf(size, partNumber) }
      signed.push({ partNumber, url: await objects((blobs) => blobs.signPart(part, origin)) })
      if (signed.length % signedAtOnce === 0) await setImmediate()
    }
    return signed
  }

  async function assemble(video: Video, upload: Upload, claimed: readonly ClaimedPart[]): Promise<void> {
    const stored = await objects((blobs) => blobs.listParts(upload))
    if (!stored) {
      // V4: by themselves, or by another instance.
      if (await lifecycle.isStored(video)) return
      throw new AppError('UPLOAD_NOT_FOUND')
    }
    const issues = partIssues(video.size, claimed, stored)
    if (issues.length > 0) throw validationFailed(issues)
    const listed = claimed.map(({ partNumber, etag }) => ({ partNumber, etag: withoutQuotes(etag) }))
    try {
      await objects((blobs) => blobs.completeUpload(upload, listed))
    } catch (error) {
      if (!(await lifecycle.isStored(video))) throw error
    }
  }

  return {
    async initiate(identity: Identity, file: FileFacts, origin: string) {
      const { filename, fileSize } = file
      refuseFile(file, maxBytes)
      // Requests at the same moment may go beyond it, by as many as the limit of requests lets through.
      if ((await store.countOpenUploads(actorOf(identity))) >= limits.openUploadsPerResearcher)
        throw new AppError('UPLOAD_LIMIT')
      const videoId = newVideoId()
      const key = objectKeys.original(videoId, filename)
      const contentType = plainType(file.contentType)
      const uploadId = await objects((blobs) => blobs.createUpload(key, contentType))
      const facts = { videoId, owner: actorOf(identity), filename, contentType, storageKey: key, uploadId }
      const numbers = Array.from({ length: partCountOf(fileSize) }, (_, index) => index + 1)
      const presignedUrls = await signParts({ key, uploadId }, fileSize, numbers, origin)
      // Last: if anything fails, there is no record, and the sweep finds an upload without one.
      await store.create(newVideo({ ...facts, size: fileSize, createdAt: clock.now() }, null))
      await lifecycle.announce(videoId)
      return { videoId, uploadId, key, presignedUrls }
    },

    async sign(identity: Identity, upload: Upload, partNumbers: readonly number[], origin: string) {
      const { size } = await findOpen(identity, upload)
      const count = partCountOf(size)
      const beyond = partNumbers.findIndex((partNumber) => partNumber > count)
      if (beyond >= 0)
        throw validationFailed([{ path: `/partNumbers/${beyond}`, message: `must be at most ${count}` }])
      return { presignedUrls: await signParts(upload, size, [...new Set(partNumbers)], origin) }
    },

    async parts(identity: Identity, upload: Upload) {
      await findOpen(identity, upload)
      const stored = await objects((blobs) => blobs.listParts(upload))
      if (!stored) throw new AppError('UPLOAD_NOT_FOUND')
      return { parts: stored.map(({ partNumber, etag, size }) => ({ partNumber, etag, size })) }
    },

    async complete(identity: Identity, upload: Upload, claimed: readonly ClaimedPart[]): Promise<void> {
      const video = await find(identity, upload)
      if (video.storedAt !== null) return
      await assemble(video, upload, claimed)
      await lifecycle.stored(video)
    },

    async abort(identity: Identity, upload: Upload): Promise<void> {
      const video = await find(identity, upload)
      const outcome = await store.discard(video.videoId, clock.now())
      if (outcome === 'in_use') throw await lifecycle.refusalInUse(video.videoId, identity)
      if (outcome === 'not_open') throw new AppError('UPLOAD_COMPLETED')
      await lifecycle.erase(video)
      await lifecycle.announce(video.videoId)
    },
  }
}

export interface ArrivedFile {
  filename: string
  contentType: string
  size: number
  open(): Readable
}

/** R31: small files, in one request. */
export function createDirectUpload(lifecycle: VideoLifecycle) {
  const { store, objects, clock } = lifecycle
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
      await lifecycle.erase(video)
      throw error
    }
    await lifecycle.stored(video)
    return { videoId, key }
  }
}
