import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createConfirmation } from './confirmation.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** An instance that holds these rooms while the database answers with `ours`. */
function holding(...roomIds: string[]) {
  const held = new Set(roomIds)
  const seen = { errors: 0, asked: 0, reopened: [] as string[] }
  const database: { ours: string[] | 'silent' } = { ours: [...roomIds] }
  const confirmation = createConfirmation({
    rooms: {
      heldIds: () => [...held],
      held: (roomId) => (held.has(roomId) ? (Promise.resolve() as never) : undefined),
      live: async (roomId) => {
        seen.reopened.push(roomId)
        held.add(roomId)
        return undefined as never
      },
      drop: (roomId) => void held.delete(roomId),
      dropAll: () => held.clear(),
    },
    store: {
      async openRoomsOf() {
        seen.asked++
        if (database.ours === 'silent') throw new Error('no answer')
        return database.ours
      },
    },
    podId: 'pod-0',
    onBackgroundError: () => void seen.errors++,
  })
  confirmation.start()
  return { held, seen, database, confirmation }
}

test('[P14] with a lease, nothing is asked', async () => {
  const { seen } = holding('a')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(seen.asked).toBe(0)
})

test('[P14] without one, rooms are played on for as long as the database has them as ours', async () => {
  const { held, seen, database, confirmation } = holding('a', 'b')
  confirmation.begin()
  await vi.advanceTimersByTimeAsync(60_000)
  expect([...held]).toEqual(['a', 'b'])
  // Another instance takes one.
  database.ours = ['b']
  await vi.advanceTimersByTimeAsync(500)
  expect([...held]).toEqual(['b'])
  expect(seen.errors).toBe(0)
})

test('[P14] a room of ours that was lost with a failed write is reopened', async () => {
  const { held, seen, confirmation } = holding('a', 'b')
  confirmation.begin()
  held.delete('a')
  await vi.advanceTimersByTimeAsync(500)
  expect([seen.reopened, held.has('a')]).toEqual([['a'], true])
})

test('[P14] without an answer for five seconds, every room is left; a shorter silence changes nothing', async () => {
  const { held, seen, database, confirmation } = holding('a')
  confirmation.begin()
  database.ours = 'silent'
  await vi.advanceTimersByTimeAsync(4_000)
  database.ours = ['a']
  await vi.advanceTimersByTimeAsync(500)
  expect([...held]).toEqual(['a'])
  database.ours = 'silent'
  await vi.advanceTimersByTimeAsync(4_000)
  expect([...held]).toEqual(['a'])
  await vi.advanceTimersByTimeAsync(2_000)
  expect([...held]).toEqual([])
  expect(seen.errors).toBeGreaterThan(0)
})

test('[P14] once we have a lease again, the directory decides', async () => {
  const { held, seen, database, confirmation } = holding('a')
  confirmation.begin()
  await vi.advanceTimersByTimeAsync(1_000)
  confirmation.end()
  const asked = seen.asked
  database.ours = []
  await vi.advanceTimersByTimeAsync(10_000)
  expect([seen.asked, ...held]).toEqual([asked, 'a'])
})
