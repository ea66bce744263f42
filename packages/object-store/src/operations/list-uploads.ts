import { S3Error } from '../http/s3-error.ts'
import { parameter, type S3Request } from '../http/s3-request.ts'
import { optional, type XmlElement, xmlDocument } from '../http/xml-text.ts'
import { encodeUri } from '../signature/canonical-request.ts'
import { type Operation, quoted, xmlReply } from './store.ts'
import { uploadOf } from './upload-parts.ts'

const pageSize = 1_000

/** A count that a caller may ask for; S3 never gives more than 1,000. */
export function countOf(request: S3Request, name: string): number {
  const text = parameter(request, name)
  if (text === undefined) return pageSize
  if (!/^\d{1,10}$/.test(text)) throw new S3Error('InvalidArgument', `${name} must be a number.`)
  return Math.min(Number(text), pageSize)
}

/** How keys are written: as they are, or encoded, if the caller asks for that. */
export function keyWriter(request: S3Request): (key: string) => string {
  const encoding = parameter(request, 'encoding-type')
  if (encoding !== undefined && encoding !== 'url')
    throw new S3Error('InvalidArgument', 'encoding-type must be url.')
  return encoding === undefined ? (key) => key : (key) => key.split('/').map(encodeUri).join('/')
}

export const listParts: Operation = async (store, { request }) => {
  const { uploadId, key, parts } = uploadOf(store, request)
  const count = countOf(request, 'max-parts')
  const marker = countFrom(parameter(request, 'part-number-marker'))
  const all = [...parts].filter(([number]) => number > marker).toSorted(([a], [b]) => a - b)
  const page = all.slice(0, count)
  return xmlReply(
    xmlDocument('ListPartsResult', [
      ['Bucket', store.bucket],
      ['Key', keyWriter(request)(key)],
      ['UploadId', uploadId],
      ['PartNumberMarker', marker],
      ...optional('NextPartNumberMarker', page.at(-1)?.[0]),
      ['MaxParts', count],
      ['IsTruncated', all.length > page.length],
      ...page.map(
        ([number, { etag, size, modifiedAt, checksum }]): XmlElement => [
          'Part',
          [
            ['PartNumber', number],
            ['LastModified', new Date(modifiedAt).toISOString()],
            ['ETag', quoted(etag)],
            ['Size', size],
            ...optional(`Checksum${checksum?.name.toUpperCase()}`, checksum?.value),
          ],
        ],
      ),
    ]),
  )
}

function countFrom(text = '0'): number {
  if (!/^\d{1,10}$/.test(text)) throw new S3Error('InvalidArgument', 'part-number-marker must be a number.')
  return Number(text)
}

/** By key, then by time and id. */
export const listMultipartUploads: Operation = async (store, { request }) => {
  if (parameter(request, 'delimiter') !== undefined)
    throw new S3Error('NotImplemented', 'Uploads cannot be listed with a delimiter.')
  const count = countOf(request, 'max-uploads')
  const prefix = parameter(request, 'prefix') ?? ''
  const keyMarker = parameter(request, 'key-marker') ?? ''
  const idMarker = parameter(request, 'upload-id-marker') ?? ''
  const write = keyWriter(request)
  const sorted = store.uploads
    .list()
    .filter(({ key }) => key.startsWith(prefix))
    .toSorted(
      (a, b) =>
        Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) ||
        a.initiatedAt - b.initiatedAt ||
        (a.uploadId < b.uploadId ? -1 : 1),
    )
  const marked = sorted.findIndex(({ key, uploadId }) => key === keyMarker && uploadId === idMarker)
  const all =
    marked >= 0
      ? sorted.slice(marked + 1)
      : sorted.filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(keyMarker)) > 0)
  const page = all.slice(0, count)
  const isTruncated = all.length > page.length
  return xmlReply(
    xmlDocument('ListMultipartUploadsResult', [
      ['Bucket', store.bucket],
      ['KeyMarker', write(keyMarker)],
      ['UploadIdMarker', idMarker],
      ['Prefix', write(prefix)],
      ...optional('NextKeyMarker', isTruncated ? write(page.at(-1)?.key ?? '') : undefined),
      ...optional('NextUploadIdMarker', isTruncated ? page.at(-1)?.uploadId : undefined),
      ['MaxUploads', count],
      ['IsTruncated', isTruncated],
      ...page.map(
        ({ key, uploadId, initiatedAt }): XmlElement => [
          'Upload',
          [
            ['Key', write(key)],
            ['UploadId', uploadId],
            ['Initiated', new Date(initiatedAt).toISOString()],
            ['StorageClass', 'STANDARD'],
          ],
        ],
      ),
    ]),
  )
}
