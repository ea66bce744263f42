import type { WriteCondition } from '../disk/objects.ts'
import type { ObjectFacts } from '../disk/sealed-file.ts'
import type { OpenUpload } from '../disk/uploads.ts'
import { S3Error } from '../http/s3-error.ts'
import type { Store } from './store.ts'

export interface UploadName {
  key: string
  uploadId: string
}

/** A part as whoever completes an upload lists it. */
export interface ListedPart {
  number: number
  etag: string
  /** Base64, by the name of their algorithm. */
  checksums?: Record<string, string | undefined>
}

export const maxParts = 10_000

/** Makes one object of the listed parts. Safe to repeat. */
export async function completeUpload(
  store: Store,
  upload: UploadName,
  listed: readonly ListedPart[],
  condition?: WriteCondition,
): Promise<ObjectFacts> {
  const { key, uploadId } = upload
  if (listed.length === 0 || listed.length > maxParts) throw new S3Error('MalformedXML')
  return await store.uploads.exclusively(uploadId, async () => {
    const known = await completedBefore(store, upload, listed)
    if (known) return known
    const open = store.uploads.find(key, uploadId)
    checkParts(store, open, listed)
    const numbers = listed.map(({ number }) => number)
    return await store.uploads.complete(open, numbers, store.now(), condition)
  })
}

export const abortUpload = (store: Store, { key, uploadId }: UploadName): Promise<void> =>
  store.uploads.exclusively(uploadId, () => store.uploads.abort(store.uploads.find(key, uploadId)))

/** Whoever lost our response asks again; the object that they made is still there. */
async function completedBefore(
  store: Store,
  { key, uploadId }: UploadName,
  listed: readonly ListedPart[],
): Promise<ObjectFacts | undefined> {
  const facts = await store.objects.find(key)
  if (!facts?.pieces || facts.pieces.uploadId !== uploadId) return undefined
  const { parts } = facts.pieces
  const isSame =
    parts.length === listed.length &&
    parts.every(({ number, etag }, index) => number === listed[index]?.number && etag === listed[index]?.etag)
  return isSame ? facts : undefined
}

/** In the order of S3: whether the list is in order, whether its parts are those we have, whether they are large enough. */
function checkParts(store: Store, { parts }: OpenUpload, listed: readonly ListedPart[]): void {
  for (const [index, { number }] of listed.entries())
    if ((listed[index - 1]?.number ?? 0) >= number) throw new S3Error('InvalidPartOrder')
  const sizes = listed.map(({ number, etag, checksums }) => {
    const part = parts.get(number)
    const promised = part?.checksum && checksums?.[part.checksum.name]
    if (!part || part.etag !== etag || (promised !== undefined && promised !== part.checksum?.value))
      throw new S3Error(
        'InvalidPart',
        `Part ${number} was not found, or its ETag or checksum does not match.`,
      )
    return part.size
  })
  if (sizes.slice(0, -1).some((size) => size < store.limits.minPartBytes)) throw new S3Error('EntityTooSmall')
  if (sizes.reduce((total, size) => total + size, 0) > store.limits.objectBytes)
    throw new S3Error('EntityTooLarge')
}
