import { limits } from '@atrium/contract'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListParts,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { BlobStore, Upload, UploadedPart } from '../../ports/blob-store.ts'
import { isMissingUpload, withAppErrors } from './s3-errors.ts'

/** ETags arrive quoted from some and unquoted from others. */
export const unquoted = (etag = ''): string => etag.replace(/^"(.*)"$/, '$1')

type Uploads = Pick<
  BlobStore,
  'createUpload' | 'signPart' | 'listParts' | 'completeUpload' | 'abortUpload' | 'openUploads'
>

/** Uploads in parts. */
export function createS3Uploads(client: S3Client, Bucket: string): Uploads {
  return {
    async createUpload(Key, ContentType) {
      const { UploadId } = await withAppErrors(
        client.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType })),
      )
      if (UploadId === undefined) throw new Error('the store gave the upload no id')
      return UploadId
    },
    signPart({ key: Key, uploadId: UploadId, partNumber: PartNumber, size }) {
      // The length is signed too: nobody can store more through the address than what was announced.
      const part = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, ContentLength: size })
      return getSignedUrl(client, part, { expiresIn: limits.presignedUrlSeconds })
    },
    async listParts({ key: Key, uploadId: UploadId }) {
      const parts: UploadedPart[] = []
      try {
        for await (const { Parts = [] } of paginateListParts({ client }, { Bucket, Key, UploadId }))
          for (const { PartNumber = 0, ETag, Size = 0 } of Parts)
            parts.push({ partNumber: PartNumber, etag: unquoted(ETag), size: Size })
        return parts
      } catch (error) {
        if (isMissingUpload(error)) return undefined
        return await withAppErrors(Promise.reject(error))
      }
    },
    async completeUpload({ key: Key, uploadId: UploadId }, parts) {
      const Parts = parts.map(({ partNumber, etag }) => ({
        PartNumber: partNumber,
        ETag: `"${unquoted(etag)}"`,
      }))
      await withAppErrors(
        client.send(
          new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }),
        ),
      )
    },
    async abortUpload({ key: Key, uploadId: UploadId }) {
      try {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
      } catch (error) {
        if (!isMissingUpload(error)) await withAppErrors(Promise.reject(error))
      }
    },
    async openUploads(begunBefore) {
      const uploads: Upload[] = []
      let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
      while (marker) {
        const page: ListMultipartUploadsCommandOutput = await withAppErrors(
          client.send(new ListMultipartUploadsCommand({ Bucket, ...marker })),
        )
        for (const { Key, UploadId, Initiated } of page.Uploads ?? [])
          if (Key !== undefined && UploadId !== undefined && Number(Initiated) < begunBefore)
            uploads.push({ key: Key, uploadId: UploadId })
        marker = page.IsTruncated
          ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
          : undefined
      }
      return uploads
    },
  }
}
