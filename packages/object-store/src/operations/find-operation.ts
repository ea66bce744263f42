import { S3Error } from '../http/s3-error.ts'
import { amzHeader, type S3Request } from '../http/s3-request.ts'
import { xmlDocument } from '../http/xml-text.ts'
import { copyObject } from './copy-object.ts'
import { deleteObjects } from './delete-objects.ts'
import { listObjects } from './list-objects.ts'
import { listMultipartUploads, listParts } from './list-uploads.ts'
import { abortMultipartUpload, completeMultipartUpload, createMultipartUpload } from './multipart-uploads.ts'
import { getObject } from './read-objects.ts'
import { type Operation, xmlReply } from './store.ts'
import { uploadPart, uploadPartCopy } from './upload-parts.ts'
import { deleteObject, putObject } from './write-objects.ts'

const headBucket: Operation = async () => ({ status: 200 })
const getLocation: Operation = async () => xmlReply(xmlDocument('LocationConstraint', []))
const createBucket: Operation = async () => {
  throw new S3Error('BucketAlreadyOwnedByYou')
}

/** By method and the query parameters that select an operation. */
const bucketOperations: Record<string, Operation> = {
  'GET list-type': listObjects,
  'GET location': getLocation,
  'GET uploads': listMultipartUploads,
  'HEAD ': headBucket,
  'POST delete': deleteObjects,
  'PUT ': createBucket,
}
const objectOperations: Record<string, Operation> = {
  'DELETE ': deleteObject,
  'DELETE uploadId': abortMultipartUpload,
  'GET ': getObject,
  'GET uploadId': listParts,
  'HEAD ': getObject,
  'POST uploadId': completeMultipartUpload,
  'POST uploads': createMultipartUpload,
  'PUT ': putObject,
  'PUT partNumber,uploadId': uploadPart,
}
/** The same, for requests with x-amz-copy-source. */
const copyOperations: Record<string, Operation> = {
  'PUT ': copyObject,
  'PUT partNumber,uploadId': uploadPartCopy,
}

/** Parameters that say more about an operation, but do not select it. */
const details = new Set([
  'continuation-token',
  'delimiter',
  'encoding-type',
  'fetch-owner',
  'key-marker',
  'max-keys',
  'max-parts',
  'max-uploads',
  'part-number-marker',
  'prefix',
  'start-after',
  'upload-id-marker',
  'x-id',
])
const isDetail = (name: string): boolean =>
  details.has(name) || name.startsWith('response-') || name.toLowerCase().startsWith('x-amz-')

export function findOperation(request: S3Request): Operation {
  const selecting = request.query.map(([name]) => name).filter((name) => !isDetail(name))
  const name = `${request.method} ${selecting.toSorted().join(',')}`
  const isCopy = amzHeader(request, 'x-amz-copy-source') !== undefined
  const operations = request.key === '' ? bucketOperations : isCopy ? copyOperations : objectOperations
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (operation) return operation
  throw new S3Error(selecting.length > 0 || request.key === '' ? 'NotImplemented' : 'MethodNotAllowed')
}
