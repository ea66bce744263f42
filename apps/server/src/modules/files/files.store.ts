import type { OverQuota, Quota } from '../../kernel/quota.ts'

export interface FileSpace {
  sessionId: string
  bytes: number
}

export interface FileStore {
  /** FI9: counts a file before it is stored; returns the quota that it would exceed, and then counts nothing. */
  reserve(space: FileSpace, quota: Quota): Promise<OverQuota | undefined>
  /** It was not stored after all. */
  release(space: FileSpace): Promise<void>
}
