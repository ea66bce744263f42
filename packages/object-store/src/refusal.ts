import { codeOf } from './disk/durable.ts'
import { S3Error } from './http/s3-error.ts'

/** The disk is full, the quota of the user is used up, or a file may not grow. */
const noSpace = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** What a caller is told about a failure. */
export function asRefusal(error: unknown): S3Error {
  if (error instanceof S3Error) return error
  const code = codeOf(error) ?? ''
  if (noSpace.has(code)) return new S3Error('StorageFull')
  if (code === 'EROFS') return new S3Error('ServiceUnavailable', 'The disk of this store is read-only.')
  return new S3Error(code === 'ENAMETOOLONG' ? 'KeyTooLongError' : 'InternalError')
}

/** Whether whoever runs the store must hear of it: a defect or a broken disk, not a mistake of the caller. */
export const isOurFault = ({ code }: S3Error): boolean =>
  code === 'InternalError' || code === 'ServiceUnavailable'
