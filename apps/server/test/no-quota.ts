import type { Quota } from '../src/kernel/quota.ts'

/** For tests that are not about quotas. */
export const noQuota: Quota = {
  participantBytes: Number.MAX_SAFE_INTEGER,
  experimentBytes: Number.MAX_SAFE_INTEGER,
}
