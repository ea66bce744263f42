import { expect, test } from 'vitest'
import { usualOptions } from './options.ts'
import { benchRooms } from './rooms.bench.ts'
import { renderRooms } from './rooms-report.ts'

test('the benchmark of rooms runs', { timeout: 60_000 }, async () => {
  const smallest = { ...usualOptions, seconds: 0.2, rounds: 1, sockets: 16, actionsPerSecond: 100 }
  const result = await benchRooms(['sqlite'], smallest)
  expect(result.broadcast.targets.map(({ deliveries }) => deliveries > 0)).toEqual([true, true, true])
  expect(result.crowds).toMatchObject([{ sockets: 16, rooms: 4 }])
  expect(result.reducer.reducedPerSecond).toBeGreaterThan(0)
  expect(renderRooms(result)).toContain('| raw ws')
})
