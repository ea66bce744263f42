import { ApiRefused } from '@atrium/client'
import { outcomeNames } from '@atrium/contract'
import { expect, test } from 'vitest'

import { endedBefore, isRealCode, outcomeText } from './endings.ts'

test('[R52] every outcome has its own text, and only SUCCESS says that the study is completed', () => {
  const own = outcomeNames.filter((name) => outcomeText(name) !== outcomeText('of the study’s own'))
  expect(own).toEqual([...outcomeNames])
  const completed = [...outcomeNames, 'too_young', 'constructor'].filter((name) =>
    outcomeText(name).includes('completed'),
  )
  expect(completed).toEqual(['SUCCESS'])
})

const refused = (details: Record<string, unknown>) =>
  new ApiRefused({
    code: 'EXPERIMENT_CLOSED',
    message: 'no',
    status: 409,
    retryAfterMs: undefined,
    details,
  })

test('[R52] people who come back after the end see how it ended, with their code', () => {
  const given = { outcome: 'SCREENED_OUT', completionCode: 'OUT', redirectUrl: '' }
  const withdraw = async () => undefined
  const seenAfter = (error: Error) => endedBefore(error, withdraw)
  const details = { reason: 'already_completed', ...given }
  expect(seenAfter(refused(details))).toEqual({ kind: 'done', ...given })
  expect(seenAfter(refused({ ...details, withdrawal: { deletes: 'all' } }))).toEqual({
    ...{ kind: 'done', ...given },
    withdrawal: { deletes: 'all', confirm: withdraw },
  })
  expect(seenAfter(refused({ reason: 'full' }))).toBeUndefined()
  expect(seenAfter(new Error('away'))).toBeUndefined()
})

test.each([
  ['SLEEP-1', 'SUCCESS', true],
  ['C1X8', 'deadline', true],
  ['NOT_MATCHED', 'deadline', false],
  ['SUCCESS', 'SUCCESS', false],
  ['too_young', 'too_young', false],
  [null, 'left', false],
  ['', 'SUCCESS', false],
])('%s after %s looks like a code: %s', (code, outcome, looksLikeCode) => {
  expect(isRealCode(code, outcome)).toBe(looksLikeCode)
})
