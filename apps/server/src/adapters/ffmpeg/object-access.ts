import type { BlobStore } from '../../ports/blob-store.ts'

/** What a job does with objects. */
export type ObjectAccess = Pick<BlobStore, 'put' | 'head' | 'open' | 'list' | 'removeAll'>
