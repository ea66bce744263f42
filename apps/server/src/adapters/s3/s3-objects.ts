import { Readable } from 'node:stream'
import { objectKeys } from '@atrium/contract'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { ObjectGone } from '../../kernel/transfer-errors.ts'
import type { ObjectTarget, StoredObject } from '../../ports/transfer.ts'
import { createS3Client, type S3Config } from './s3-client.ts'
import { isMissingObject } from './s3-errors.ts'

/** Larger objects are sent in parts, of which there may be 10,000. A single request ends at 5 GiB. */
const partBytes = 64 * 2 ** 20
const maxParts = 10_000

/** All objects of ours in a bucket, one at a time, for backups. */
export function openS3Objects(config: S3Config): ObjectTarget {
  const Bucket = config.bucket
  const client = createS3Client({ ...config, maxSockets: 4 })

  async function* read(Key: string, range?: { first: number; last: number }): AsyncGenerator<Uint8Array> {
    const Range = range && `bytes=${range.first}-${range.last}`
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key, Range })).catch(goneIfMissing(Key))
    yield* Body as Readable
  }

  return {
    async *keys() {
      for await (const { Contents = [] } of paginateListObjectsV2(
        { client },
        { Bucket, Prefix: objectKeys.root },
      ))
        for (const { Key } of Contents) if (Key !== undefined) yield Key
    },
    async open(Key) {
      const facts = await client.send(new HeadObjectCommand({ Bucket, Key })).catch((error: unknown) => {
        if (isMissingObject(error)) return undefined
        throw error
      })
      if (!facts) return undefined
      const { ContentLength: size = 0, ContentType: contentType = 'application/octet-stream' } = facts
      return { size, contentType, read: (range) => read(Key, range) }
    },
    async put(Key, object) {
      if (object.size > partBytes) return await putInParts(client, { Bucket, Key }, object)
      const Body = object.size === 0 ? new Uint8Array() : Readable.from(object.read())
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body,
          ContentLength: object.size,
          ContentType: object.contentType,
        }),
      )
    },
    close: async () => client.destroy(),
  }
}

const goneIfMissing =
  (key: string) =>
  (error: unknown): never => {
    throw isMissingObject(error) ? new ObjectGone(key, { cause: error }) : error
  }

async function putInParts(
  client: S3Client,
  at: { Bucket: string; Key: string },
  { size, contentType, read }: StoredObject,
): Promise<void> {
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...at, ContentType: contentType }),
  )
  const bytesEach = Math.max(partBytes, Math.ceil(size / maxParts))
  const Parts: { PartNumber: number; ETag: string | undefined }[] = []
  try {
    for (let first = 0; first < size; first += bytesEach) {
      const last = Math.min(size, first + bytesEach) - 1
      const PartNumber = Parts.length + 1
      const Body = Readable.from(read({ first, last }))
      const { ETag } = await client.send(
        new UploadPartCommand({ ...at, UploadId, PartNumber, Body, ContentLength: last - first + 1 }),
      )
      Parts.push({ PartNumber, ETag })
    }
    await client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }))
  } catch (error) {
    // The first error explains more; the store removes open uploads by itself after a while.
    await client.send(new AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => undefined)
    throw error
  }
}
