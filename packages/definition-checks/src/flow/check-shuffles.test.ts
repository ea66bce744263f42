import { experiment, state } from '@atrium/testkit/definitions'
import { expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'

const components = ['mood', 'trust', 'risk'].map((id) => ({ id, type: 'slider' }))
const errorsOf = (shuffle: boolean | string[]) =>
  checkFlow(experiment([state('ask', { components, shuffle, end: { on: 'button' } })]), () => true).errors

it('[F112] what is shuffled is a component of the state, and named once', () => {
  for (const shuffle of [true, false, ['mood', 'risk']]) expect(errorsOf(shuffle)).toEqual([])
  expect(errorsOf(['mood', 'trsut', 'mood'])).toEqual([
    { path: '/states/0/shuffle/1', message: 'state ‘ask’ has no component ‘trsut’; did you mean ‘trust’?' },
    { path: '/states/0/shuffle/2', message: 'component ‘mood’ is already in this list' },
  ])
})
