import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createInProcessPods } from '../../adapters/in-process/pod-directory.ts'
import { createTakeOver, nextOwner } from './take-over.ts'

const podIds = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 })

test('[P7] all pods find the same heir, in whatever order they list each other', () => {
  fc.assert(
    fc.property(fc.string(), podIds, (roomId, pods) => {
      const heir = nextOwner(roomId, pods)
      expect(pods).toContain(heir)
      expect(nextOwner(roomId, [...pods].reverse())).toBe(heir)
    }),
  )
})

test('[P7] a pod that comes or goes moves only its own rooms', () => {
  fc.assert(
    fc.property(fc.string(), podIds, fc.string({ minLength: 1 }), (roomId, pods, other) => {
      fc.pre(!pods.includes(other))
      expect([nextOwner(roomId, pods), other]).toContain(nextOwner(roomId, [...pods, other]))
    }),
  )
})

test('[P7] the rooms of a dead pod are spread over the others', () => {
  const rooms = Array.from({ length: 300 }, (_, index) => `room_${index}`)
  const counts = Map.groupBy(rooms, (room) => nextOwner(room, ['pod-0', 'pod-1', 'pod-2']))
  for (const pod of ['pod-0', 'pod-1', 'pod-2']) expect(counts.get(pod)?.length).toBeGreaterThan(60)
  expect(nextOwner('room_1', [])).toBeUndefined()
})

test('[P8,P9] the database is queried when the living pods change, until every room has a pod, and otherwise now and then', async () => {
  vi.useFakeTimers()
  try {
    const directory = createInProcessPods({ now: Date.now })
    const lease = { address: 'http://localhost', draining: false, maxRooms: 1, maxParticipants: 1 }
    const [longMs, lookMs] = [3_600_000, 400]
    let orphans: string[] = []
    let strays: string[] = []
    let asked = 0
    let isSettled = true
    const takeOver = createTakeOver({
      directory,
      rooms: { live: () => Promise.reject(new Error('not yet')), held: () => undefined },
      store: {
        async orphans() {
          asked++
          return orphans
        },
        openRoomsOf: async () => strays,
      },
      podId: 'pod-0',
      mayTake: () => isSettled,
      onBackgroundError: () => undefined,
    })
    const askedIn = async (looks: number): Promise<number> => {
      const before = asked
      await vi.advanceTimersByTimeAsync(looks * lookMs)
      return asked - before
    }
    await directory.renew('pod-0', lease, longMs)
    await directory.renew('pod-1', lease, longMs)
    takeOver.start()
    expect(await askedIn(11)).toBe(3)
    await directory.remove('pod-1')
    orphans = ['room_a']
    expect(await askedIn(4)).toBe(4)
    orphans = []
    strays = ['room_b']
    expect(await askedIn(4)).toBe(4)
    strays = []
    expect(await askedIn(2)).toBe(1)
    // P15: whoever is missing in the directory may be alive.
    isSettled = false
    orphans = ['room_c']
    expect(await askedIn(10)).toBe(0)
    takeOver.stop()
  } finally {
    vi.useRealTimers()
  }
})
