import type { ObjectFacts } from '../disk/sealed-file.ts'
import type { OpenUpload } from '../disk/uploads.ts'
import { writeConditionOf } from '../http/conditions.ts'
import { objectHeaders } from '../http/object-headers.ts'
import { childrenOf, readXml, textOf, type XmlNode } from '../http/read-xml.ts'
import { S3Error } from '../http/s3-error.ts'
import { parameter, type S3Request } from '../http/s3-request.ts'
import { xmlDocument } from '../http/xml-text.ts'
import { type Operation, quoted, type Store, unquoted, xmlReply } from './store.ts'
import { maxParts, uploadOf } from './upload-parts.ts'

export const createMultipartUpload: Operation = async (store, { request }) => {
  const uploadId = await store.uploads.create(request.key, objectHeaders(request), store.now())
  return xmlReply(
    xmlDocument('InitiateMultipartUploadResult', [
      ['Bucket', store.bucket],
      ['Key', request.key],
      ['UploadId', uploadId],
    ]),
  )
}

export const abortMultipartUpload: Operation = async (store, { request }) => {
  const { uploadId } = uploadOf(store, request)
  await store.uploads.exclusively(uploadId, () => store.uploads.abort(uploadOf(store, request)))
  return { status: 204 }
}

/** A part as the caller of CompleteMultipartUpload lists it. */
interface ListedPart {
  number: number
  etag: string
  /** Base64, by the name of their element. */
  checksums: Record<string, string | undefined>
}

export const completeMultipartUpload: Operation = async (store, upload) => {
  const { request } = upload
  const condition = writeConditionOf(request)
  const listed = childrenOf(await readXml(upload, 'CompleteMultipartUpload', ['Part']), 'Part').map(
    listedPart,
  )
  if (listed.length === 0 || listed.length > maxParts) throw new S3Error('MalformedXML')
  const uploadId = parameter(request, 'uploadId') ?? ''
  const facts = await store.uploads.exclusively(uploadId, async () => {
    const known = await completedBefore(store, request, uploadId, listed)
    if (known) return known
    const open = uploadOf(store, request)
    checkParts(store, open, listed)
    const numbers = listed.map(({ number }) => number)
    return await store.uploads.complete(open, numbers, store.now(), condition)
  })
  return xmlReply(
    xmlDocument('CompleteMultipartUploadResult', [
      ['Location', request.rawPath],
      ['Bucket', store.bucket],
      ['Key', request.key],
      ['ETag', quoted(facts.etag)],
    ]),
  )
}

function listedPart(node: XmlNode): ListedPart {
  const number = textOf(node, 'PartNumber') ?? ''
  const etag = textOf(node, 'ETag')
  if (!/^\d{1,5}$/.test(number) || etag === undefined) throw new S3Error('MalformedXML')
  return {
    number: Number(number),
    etag: unquoted(etag).toLowerCase(),
    checksums: {
      crc32: textOf(node, 'ChecksumCRC32'),
      sha1: textOf(node, 'ChecksumSHA1'),
      sha256: textOf(node, 'ChecksumSHA256'),
    },
  }
}

/** Whoever lost our response asks again; the object that they made is still there. */
async function completedBefore(
  store: Store,
  { key }: S3Request,
  uploadId: string,
  listed: ListedPart[],
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
function checkParts(store: Store, { parts }: OpenUpload, listed: ListedPart[]): void {
  for (const [index, { number }] of listed.entries())
    if ((listed[index - 1]?.number ?? 0) >= number) throw new S3Error('InvalidPartOrder')
  const sizes = listed.map(({ number, etag, checksums }) => {
    const part = parts.get(number)
    const promised = part?.checksum && checksums[part.checksum.name]
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
