import { writeConditionOf } from '../http/conditions.ts'
import { objectHeaders } from '../http/object-headers.ts'
import { childrenOf, readXml, textOf, type XmlNode } from '../http/read-xml.ts'
import { S3Error } from '../http/s3-error.ts'
import { parameter, type S3Request } from '../http/s3-request.ts'
import { xmlDocument } from '../http/xml-text.ts'
import { abortUpload, completeUpload, type ListedPart, type UploadName } from './complete-upload.ts'
import { type Operation, quoted, unquoted, xmlReply } from './store.ts'

const nameOf = (request: S3Request): UploadName => ({
  key: request.key,
  uploadId: parameter(request, 'uploadId') ?? '',
})

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
  await abortUpload(store, nameOf(request))
  return { status: 204 }
}

export const completeMultipartUpload: Operation = async (store, upload) => {
  const { request } = upload
  const condition = writeConditionOf(request)
  const listed = childrenOf(await readXml(upload, 'CompleteMultipartUpload', ['Part']), 'Part').map(
    listedPart,
  )
  const facts = await completeUpload(store, nameOf(request), listed, condition)
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
