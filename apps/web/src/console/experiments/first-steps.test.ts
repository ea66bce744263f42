import { expect, test } from 'vitest'
import { firstSteps } from './first-steps.ts'

const fresh = { isHidden: false, tried: null }
const example = { experimentId: 'quick-survey', access: 'view', status: 'recruiting' } as const
const draft = { experimentId: 'exp_1', access: 'owner', status: 'draft' } as const
const states = (...told: Parameters<typeof firstSteps>) => firstSteps(...told)?.map(({ state }) => state)

test('the steps follow what somebody has done: built, tried, launched', () => {
  expect(states([example], fresh)).toEqual(['next', 'later', 'later'])
  expect(firstSteps([example, draft], fresh)?.[1]).toEqual({
    step: 'try',
    state: 'next',
    href: '/experiments/exp_1/definition',
  })
  expect(firstSteps([example, draft], { ...fresh, tried: 'exp_1' })?.[2]).toEqual({
    step: 'launch',
    state: 'next',
    href: '/experiments/exp_1/overview',
  })
  expect(states([{ ...draft, status: 'recruiting' }], fresh)).toBeUndefined()
})

test('a study that was tried and deleted does not count, and whoever hides the steps is left alone', () => {
  expect(states([draft], { ...fresh, tried: 'exp_deleted' })).toEqual(['done', 'next', 'later'])
  expect(states([], { ...fresh, isHidden: true })).toBeUndefined()
})
