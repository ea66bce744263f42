import { checksumHeader } from '../body/checksums.ts'
import { createFileSink, writeBytes } from '../body/file-sink.ts'
import { declaredBytes, receiveBody } from '../body/receive-body.ts'
import type { ByteRange, OpenObject } from '../disk/read-object.ts'
import type { Facts } from '../disk/sealed-file.ts'
import type { OpenUpload } from '../disk/uploads.ts'
import { S3Error } from '../http/s3-error.ts'
import { amzHeader, parameter, type S3Request } from '../http/s3-request.ts'
import { xmlDocument } from '../http/xml-text.ts'
import { maxParts } from './complete-upload.ts'
import { openCopySource } from './copy-source.ts'
import { type Operation, quoted, type Store, xmlReply } from './store.ts'

/** The upload and part number that the address names. */
export const uploadOf = (store: Store, request: S3Request): OpenUpload =>
  store.uploads.find(request.key, parameter(request, 'uploadId') ?? '')

function partNumberOf(request: S3Request): number {
  const text = parameter(request, 'partNumber') ?? ''
  const number = Number(text)
  if (!/^\d{1,5}$/.test(text) || number < 1 || number > maxParts)
    throw new S3Error('InvalidArgument', `Part number must be an integer between 1 and ${maxParts}.`)
  return number
}

export const uploadPart: Operation = async (store, upload) => {
  const { request } = upload
  const partNumber = partNumberOf(request)
  const open = uploadOf(store, request)
  const size = declaredBytes(upload, store.limits.putBytes)
  const { md5, checksum } = await store.drafts.use(size, async (draft) => {
    const received = await receiveBody(upload, size, createFileSink(draft.file))
    const facts = { size, etag: received.md5, modifiedAt: store.now(), checksum: received.checksum }
    await store.uploads.putPart(open, partNumber, draft, facts)
    return received
  })
  return {
    status: 200,
    headers: { etag: quoted(md5), ...(checksum && { [checksumHeader(checksum.name)]: checksum.value }) },
  }
}

export const uploadPartCopy: Operation = async (store, { request }) => {
  const partNumber = partNumberOf(request)
  const open = uploadOf(store, request)
  const source = await openCopySource(store, request)
  try {
    const range = copyRangeOf(request, source.facts.size)
    if (range.last - range.first + 1 > store.limits.copyBytes) throw new S3Error('EntityTooLarge')
    const facts = await storePartCopy(store, source, range, open, partNumber)
    return xmlReply(
      xmlDocument('CopyPartResult', [
        ['ETag', quoted(facts.etag)],
        ['LastModified', new Date(facts.modifiedAt).toISOString()],
      ]),
    )
  } finally {
    await source.close()
  }
}

function copyRangeOf(request: S3Request, size: number): ByteRange {
  const header = amzHeader(request, 'x-amz-copy-source-range')
  if (header === undefined) return { first: 0, last: size - 1 }
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(header) ?? []
  const range = { first: Number(first), last: Number(last) }
  if (!(range.first <= range.last))
    throw new S3Error('InvalidArgument', 'x-amz-copy-source-range must be bytes=first-last.')
  if (range.last >= size)
    throw new S3Error('InvalidRange', `The range is not within the source, which has ${size} bytes.`)
  return range
}

/** A range that is exactly one stored part, as when an upload is copied part by part, costs no copy at all. */
async function storePartCopy(
  store: Store,
  { facts, read }: OpenObject,
  range: ByteRange,
  open: OpenUpload,
  partNumber: number,
): Promise<Facts> {
  const size = range.last - range.first + 1
  let start = 0
  for (const part of facts.pieces?.parts ?? []) {
    if (start === range.first && part.size === size) {
      const copy = { size, etag: part.etag, modifiedAt: store.now() }
      const from = store.layout.part(facts.pieces?.uploadId ?? '', part.number)
      await store.uploads.linkPart(open, partNumber, from, copy)
      return copy
    }
    start += part.size
  }
  return await store.drafts.use(size, async (draft) => {
    const etag = await writeBytes(draft.file, read(range), size)
    const copy = { size, etag, modifiedAt: store.now() }
    await store.uploads.putPart(open, partNumber, draft, copy)
    return copy
  })
}
