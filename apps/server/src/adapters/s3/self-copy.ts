import { limits } from '@atrium/contract'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'

/** Of S3: larger objects cannot be copied in one request. */
export const maxCopyBytes = 5 * 2 ** 30
const copiesAtOnce = 4

interface Target {
  client: S3Client
  Bucket: string
  Key: string
}

/** Copies an object onto itself, which raises its creation event again. */
export async function copyOntoItself(target: Target, maxBytes: number): Promise<void> {
  const { client, Bucket, Key } = target
  const {
    ContentLength: size = 0,
    ContentType,
    Metadata,
    ETag,
  } = await client.send(new HeadObjectCommand({ Bucket, Key }))
  const source = {
    CopySource: `${Bucket}/${Key.split('/').map(encodeURIComponent).join('/')}`,
    CopySourceIfMatch: ETag,
  }
  const facts = { ContentType, Metadata }
  if (size > maxBytes) return await copyInParts(target, rangesOf(size, maxBytes), source, facts)
  const { CopyObjectResult } = await client.send(
    // S3 refuses a copy onto itself that changes nothing, so the same facts are sent as new ones.
    new CopyObjectCommand({ Bucket, Key, ...source, ...facts, MetadataDirective: 'REPLACE' }),
  )
  // S3 begins its answer before the copy is done: a failure may come with status 200.
  if (!CopyObjectResult?.ETag) throw new Error('the store did not say that the copy succeeded')
}

/** Parts of the size of the upload: our own store then copies nothing, and S3 copies its parts as they are. */
function rangesOf(size: number, maxBytes: number) {
  const partBytes = Math.max(Math.min(limits.uploadPartBytes, maxBytes), Math.ceil(size / limits.uploadParts))
  return Array.from({ length: Math.ceil(size / partBytes) }, (_, index) => {
    const last = Math.min((index + 1) * partBytes, size) - 1
    return { PartNumber: index + 1, CopySourceRange: `bytes=${index * partBytes}-${last}` }
  })
}

async function copyInParts(
  { client, Bucket, Key }: Target,
  ranges: { PartNumber: number; CopySourceRange: string }[],
  source: { CopySource: string; CopySourceIfMatch: string | undefined },
  facts: { ContentType: string | undefined; Metadata: Record<string, string> | undefined },
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...facts }))
  try {
    const Parts: { PartNumber: number; ETag: string }[] = []
    for (let at = 0; at < ranges.length; at += copiesAtOnce) {
      const copied = ranges.slice(at, at + copiesAtOnce).map(async (range) => {
        const { CopyPartResult } = await client.send(
          new UploadPartCopyCommand({ Bucket, Key, UploadId, ...source, ...range }),
        )
        if (!CopyPartResult?.ETag) throw new Error('the store did not say that a part was copied')
        return { PartNumber: range.PartNumber, ETag: CopyPartResult.ETag }
      })
      Parts.push(...(await Promise.all(copied)))
    }
    await client.send(
      new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
    )
  } catch (error) {
    // The object is as before; what is left of the attempt goes now, or with the uploads that nobody finishes.
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined)
    throw error
  }
}
