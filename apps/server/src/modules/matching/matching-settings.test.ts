import { smallestDefinition } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { matchingSettingsOf } from './matching-settings.ts'

test('[M22] a group that was stored before there was a limit has at most 1,000 seats, with agents in the seats of its roles', () => {
  const roles = [{ id: 'seller', min: 5_000 }, 'buyer']
  const settingsOf = (groupSize: number | { min: number; max: number }) =>
    matchingSettingsOf(smallestDefinition({ roles, matching: { groupSize } }))
  expect(settingsOf(20_000)).toMatchObject({ min: 1_000, max: 1_000, roles: [{ min: 1_000 }, { min: 0 }] })
  expect(settingsOf({ min: 2, max: 20_000 })).toMatchObject({ min: 2, max: 1_000 })
})
