import type { SeatReport } from '@atrium/contract'
import { expect, test } from 'vitest'
import { networkIn } from './room-network.ts'

const seat = (alias: string, neighbours?: string[], more: Partial<SeatReport> = {}) =>
  ({ alias, presence: 'connected', agent: null, ...(neighbours && { neighbours }), ...more }) as SeatReport

test('[RM257] the picture of a room has each edge once, and nobody whose seat was taken over', () => {
  const seats = [
    seat('P1'),
    seat('P2', ['P4', 'P3']),
    seat('P3', ['P2'], { presence: 'away' }),
    seat('P4', ['P2'], { presence: 'away', agent: {} as SeatReport['agent'] }),
  ]
  const found = networkIn(seats)
  expect(found?.nodes).toEqual([
    { label: 'P2', isAway: false },
    { label: 'P3', isAway: true },
    { label: 'P4', isAway: false },
  ])
  expect(found?.edges).toEqual([
    [0, 2],
    [0, 1],
  ])
})

test('[RM257] a room without a network has no picture', () => {
  expect(networkIn([])).toBeUndefined()
  expect(networkIn([seat('P1'), seat('P2')])).toBeUndefined()
})
