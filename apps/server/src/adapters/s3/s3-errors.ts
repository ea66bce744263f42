import { S3ServiceException } from '@aws-sdk/client-s3'
import { saysFull, storeRefusal } from '../../kernel/store-refusals.ts'

const codeOf = (error: unknown): string | undefined =>
  error instanceof S3ServiceException ? error.name : undefined

export const isMissingObject = (error: unknown): boolean =>
  codeOf(error) === 'NoSuchKey' || codeOf(error) === 'NotFound'
export const isMissingUpload = (error: unknown): boolean => codeOf(error) === 'NoSuchUpload'
export const isStoreFull = (error: unknown): boolean => saysFull(codeOf(error))
export const isInvalidRange = (error: unknown): boolean => codeOf(error) === 'InvalidRange'

export async function withAppErrors<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    throw storeRefusal(codeOf(error), error)
  }
}
