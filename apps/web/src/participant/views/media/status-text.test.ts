import type { PlaybackState } from '@atrium/contract'
import { expect, test } from 'vitest'
import { statusText } from './status-text.ts'

const calm = {
  phase: 'waiting',
  inStep: { kind: 'alone' },
  isBuffering: false,
  isStill: false,
  isRatingAwaited: false,
  kind: 'video',
  loaded: undefined,
} as const

const inStep = (status: PlaybackState['status'], isGestureNeeded = false) =>
  ({
    kind: 'in_step',
    isGestureNeeded,
    state: { componentId: 'film', status, positionMs: 0, atServerTime: 0, rate: 1 },
  }) as const

test('the player says what it is doing', () => {
  expect(statusText(calm)).toBe('')
  expect(statusText({ ...calm, phase: 'loading' })).toBe('Loading …')
  expect(statusText({ ...calm, phase: 'loading', loaded: 0.4 })).toBe('Loading … 40 %')
  expect(statusText({ ...calm, phase: 'playing', isBuffering: true })).toBe('Loading …')
  expect(statusText({ ...calm, phase: 'ended' })).toBe('The video has ended.')
  expect(statusText({ ...calm, isStill: true })).toBe('Paused.')
  expect(statusText({ ...calm, phase: 'failed' })).toBe('')
})

test('[R27] in step, it says whom it waits for', () => {
  expect(statusText({ ...calm, inStep: { kind: 'awaited' } })).toBe('Waiting for the others …')
  expect(statusText({ ...calm, inStep: inStep('preparing') })).toBe('Waiting for the others …')
  expect(statusText({ ...calm, inStep: inStep('preparing', true) })).toBe('')
  expect(statusText({ ...calm, inStep: inStep('paused') })).toBe('Paused.')
  expect(statusText({ ...calm, inStep: inStep('playing'), phase: 'playing' })).toBe('')
})

test('[R27] while playback is held for a rating, only those who have given it wait for the others', () => {
  const held = { ...calm, inStep: inStep('waiting') } as const
  const askToRate = 'Please give your rating to continue.'
  expect(statusText({ ...held, isRatingAwaited: true })).toBe(askToRate)
  expect(statusText(held)).toBe('Waiting for the others …')
  expect(statusText({ ...calm, phase: 'paused', isRatingAwaited: true })).toBe(askToRate)
  expect(statusText({ ...calm, phase: 'ended', isRatingAwaited: true })).toBe(askToRate)
  expect(statusText({ ...held, isRatingAwaited: true, isStill: true })).toBe('Paused.')
  expect(statusText({ ...calm, phase: 'failed', isRatingAwaited: true })).toBe('')
})
