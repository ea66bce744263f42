import { AppError } from '../../kernel/app-error.ts'
import type { BlobStore } from '../../ports/blob-store.ts'

/** Runs calls to the object store. Whatever fails there becomes a refusal that says what the caller can do. */
export type ObjectAccess = <Value>(act: (blobs: BlobStore) => Promise<Value>) => Promise<Value>

/** V1: without an object store, whatever needs one is refused. */
export const createObjectAccess =
  (blobs: BlobStore | undefined): ObjectAccess =>
  async (act) => {
    if (!blobs) throw new AppError('VIDEO_OFF')
    try {
      return await act(blobs)
    } catch (error) {
      if (error instanceof AppError || error instanceof RangeError) throw error
      const refusal = new AppError(
        'UNAVAILABLE',
        {},
        'The object store does not work at the moment. Try again shortly.',
      )
      throw Object.assign(refusal, { cause: error })
    }
  }
