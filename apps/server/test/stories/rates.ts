import { limits } from '@atrium/contract'
import type { ApiResponse } from '@atrium/testkit'
import { expect } from 'vitest'
import { refusalOf } from './refusal.ts'

export function rateOf({ headers }: ApiResponse) {
  const read = (name: string) => Number(headers.get(name) ?? Number.NaN)
  return {
    limit: read('x-ratelimit-limit'),
    remaining: read('x-ratelimit-remaining'),
    reset: read('x-ratelimit-reset'),
  }
}

export function expectRefused(answer: ApiResponse): void {
  expect(refusalOf(answer)).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
  expect(rateOf(answer).remaining).toBe(0)
  const retryAfter = Number(answer.headers.get('retry-after'))
  expect(retryAfter).toBeGreaterThanOrEqual(1)
  expect(retryAfter).toBeLessThanOrEqual(limits.rateWindowSeconds)
}
