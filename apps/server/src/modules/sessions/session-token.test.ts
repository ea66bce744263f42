import { expect, test } from 'vitest'
import { createSessionTokens } from './session-token.ts'

test('[R12] a secret is replaced in steps: tokens of both are valid until the old one is gone', () => {
  const steps = [
    createSessionTokens(['old']),
    createSessionTokens(['old', 'new']),
    createSessionTokens(['new', 'old']),
    createSessionTokens(['new']),
  ]
  const signed = steps.map((tokens) => tokens.sign('ses_1', 1_000))
  expect(signed).toEqual([signed[0], signed[0], signed[3], signed[3]])
  const accepting = (token = '') => steps.map((tokens) => tokens.isValid(token, 'ses_1', 1_000))
  expect(accepting(signed[0])).toEqual([true, true, true, false])
  expect(accepting(signed[3])).toEqual([false, true, true, true])
  expect(accepting(createSessionTokens(['other']).sign('ses_1', 1_000))).not.toContain(true)
  expect(steps[1]?.isValid(signed[0] ?? '', 'ses_2', 1_000)).toBe(false)
})
