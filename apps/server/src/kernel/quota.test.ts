import { expect, test } from 'vitest'
import { bytesOf, overQuota, rowBytes, withReserve } from './quota.ts'

const quota = { participantBytes: 1_000, experimentBytes: 8_000 }

test.each([
  ['what just fits', 400, 4_000, undefined],
  [
    'a byte too many for the participant',
    401,
    4_000,
    { scope: 'participant', usedBytes: 401, limitBytes: 1_000 },
  ],
  [
    'a byte too many for the experiment',
    0,
    7_401,
    { scope: 'experiment', usedBytes: 7_401, limitBytes: 8_000 },
  ],
  ['too many for both', 900, 7_900, { scope: 'participant', usedBytes: 900, limitBytes: 1_000 }],
] as const)('[E27] %s', (_what, participantBytes, experimentBytes, over) => {
  expect(overQuota({ participantBytes, experimentBytes }, 600, quota)).toEqual(over)
})

test('[E27] the reserve is a quarter, and text counts as UTF-8', () => {
  expect(withReserve(quota)).toEqual({ participantBytes: 1_250, experimentBytes: 10_000 })
  expect(bytesOf('ab', null, '图')).toBe(rowBytes + 5)
})
