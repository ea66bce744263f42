import { S3ServiceException } from '@aws-sdk/client-s3'
import { AppError, validationFailed } from '../../kernel/app-error.ts'

const partRefusals: Record<string, string> = {
  InvalidPart: 'names a part that is not stored, or not with this ETag',
  InvalidPartOrder: 'is not in ascending order of the part numbers',
  EntityTooSmall: 'has a part that is smaller than 5 MiB and is not the last',
}

const isNamed = (error: unknown, ...names: string[]): boolean =>
  error instanceof S3ServiceException && names.includes(error.name)

export const isMissingObject = (error: unknown): boolean => isNamed(error, 'NoSuchKey', 'NotFound')
export const isMissingUpload = (error: unknown): boolean => isNamed(error, 'NoSuchUpload')
export const isStoreFull = (error: unknown): boolean =>
  isNamed(error, 'StorageFull', 'XMinioStorageFull', 'QuotaExceeded')
export const isInvalidRange = (error: unknown): boolean => isNamed(error, 'InvalidRange')

/** What the platform says about a refusal of the store; a store that fails or cannot be reached is unavailable. */
function asAppError(error: unknown): Error {
  if (error instanceof AppError) return error
  if (isMissingUpload(error)) return new AppError('UPLOAD_NOT_FOUND')
  const partRefusal = error instanceof S3ServiceException ? partRefusals[error.name] : undefined
  if (partRefusal !== undefined) return validationFailed([{ path: '/parts', message: partRefusal }])
  const refusal = new AppError(isStoreFull(error) ? 'STORAGE_FULL' : 'UNAVAILABLE')
  refusal.cause = error
  return refusal
}

export async function withAppErrors<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    throw asAppError(error)
  }
}
