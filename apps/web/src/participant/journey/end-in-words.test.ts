import { ApiRefused } from '@atrium/client'
import { outcomeNames } from '@atrium/contract'
import { expect, test } from 'vitest'
import { endInWords } from './end-in-words.ts'
import { endedBefore } from './refusals.ts'

test('[R52] every outcome has words of its own, and only SUCCESS is a completed study', () => {
  const own = outcomeNames.filter((name) => endInWords(name) !== endInWords('of the experiment’s own'))
  expect(own).toEqual([...outcomeNames])
  const completed = [...outcomeNames, 'too_young', 'constructor'].filter((name) =>
    endInWords(name).includes('completed'),
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

test('[R52] whoever comes back after the end sees how it ended, with what was given', () => {
  const given = { outcome: 'SCREENED_OUT', completionCode: 'OUT', redirectUrl: '' }
  expect(endedBefore(refused({ reason: 'already_completed', ...given }))).toEqual({ kind: 'done', ...given })
  expect(endedBefore(refused({ reason: 'full' }))).toBeUndefined()
  expect(endedBefore(new Error('away'))).toBeUndefined()
})
