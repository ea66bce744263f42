import { expect, test } from 'vitest'
import { usualOptions } from './options.ts'
import { renderRooms } from './report/rooms.ts'
import { benchBroadcast } from './suites/rooms/broadcast.ts'
import { benchCrowd } from './suites/rooms/crowd.ts'
import { benchReducer } from './suites/rooms/reducer.ts'

/** The smallest run, so that it does not rot. What it measures says nothing here, and nothing is asserted. */
test('the benchmark of rooms runs', async () => {
  const smallest = { ...usualOptions, seconds: 0.1, rounds: 1, sockets: 8, actionsPerSecond: 100 }
  const [broadcast, crowd] = await Promise.all([benchBroadcast(smallest), benchCrowd('sqlite', smallest)])
  const reducer = benchReducer(smallest)
  expect(broadcast.targets.map(({ deliveries }) => deliveries > 0)).toEqual([true, true, true])
  expect(crowd).toMatchObject({ sockets: 8, rooms: 2 })
  expect(crowd.actions).toBeGreaterThan(0)
  expect(renderRooms({ broadcast, crowds: [crowd], reducer })).toContain('| raw ws')
})
