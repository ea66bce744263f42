import {
  type ErrorCode,
  envelopeKindOf,
  errorCatalogue,
  ParticipantError,
  PlainError,
} from '@atrium/contract'
import { type ApiResponse, codeOf } from '@atrium/testkit'
import { Value } from 'typebox/value'
import { expect } from 'vitest'

/** R8, R9, R10: the documented refusal, in the envelope of its path. */
export function expectRefusal(answer: ApiResponse | undefined, code: ErrorCode, path: string): void {
  expect(answer?.status, answer?.text).toBe(errorCatalogue[code].status)
  if (!answer) return
  expect(codeOf(answer)).toBe(code)
  const isParticipant = envelopeKindOf(path) === 'participant'
  expect(Value.Check(isParticipant ? ParticipantError([code]) : PlainError([code]), answer.body)).toBe(true)
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  if (!isParticipant) return
  for (const name of ['limit', 'remaining', 'reset'])
    expect(answer.headers.get(`x-ratelimit-${name}`), name).toMatch(/^\d+$/)
}
