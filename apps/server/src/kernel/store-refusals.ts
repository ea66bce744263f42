import { AppError, validationFailed } from './app-error.ts'

const partRefusals: Record<string, string> = {
  InvalidPart: 'names a part that is not stored, or not with this ETag',
  InvalidPartOrder: 'is not in ascending order of the part numbers',
  EntityTooSmall: 'has a part that is smaller than 5 MiB and is not the last',
}
const full = new Set(['StorageFull', 'XMinioStorageFull', 'QuotaExceeded'])

export const saysFull = (code: string | undefined): boolean => code !== undefined && full.has(code)

/**
 * What the platform says about a refusal of an object store, which has one of the error codes of S3; a store that fails
 * or cannot be reached has none, and is unavailable.
 */
export function storeRefusal(code: string | undefined, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  if (code === 'NoSuchUpload') return new AppError('UPLOAD_NOT_FOUND')
  const partRefusal = code === undefined ? undefined : partRefusals[code]
  if (partRefusal !== undefined) return validationFailed([{ path: '/parts', message: partRefusal }])
  const refusal = new AppError(saysFull(code) ? 'STORAGE_FULL' : 'UNAVAILABLE')
  refusal.cause = cause
  return refusal
}
