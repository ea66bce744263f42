import { expect, test, vi } from 'vitest'
import { createInProcessPods } from '../../adapters/in-process/pod-directory.ts'
import { type DueRoom, duePerPage } from '../rooms/index.ts'
import { createSweep } from './sweep.ts'
import { nextOwner } from './take-over.ts'

test('[P11] each pod keeps the deadlines of its own rooms; a failed room is retried later and holds up no other', async () => {
  vi.useFakeTimers()
  try {
    const clock = { now: Date.now }
    const directory = createInProcessPods(clock)
    const lease = { address: 'http://localhost', draining: false, maxRooms: 1, maxParticipants: 1 }
    const podIds = ['pod-0', 'pod-1']
    for (const podId of podIds) await directory.renew(podId, lease, 3_600_000)
    const all = Array.from({ length: duePerPage + 50 }, (_, index) => ({
      roomId: `room_${index}`,
      dueAt: index,
    }))
    const mine = all.map(({ roomId }) => roomId).filter((roomId) => nextOwner(roomId, podIds) === 'pod-0')
    const broken = mine[0]
    let left: DueRoom[] = all
    const passed: string[] = []
    const sweep = createSweep({
      directory,
      rooms: {
        async passTime(roomId) {
          passed.push(roomId)
          if (roomId === broken) throw new Error('not today')
          left = left.filter((room) => room.roomId !== roomId)
        },
      },
      store: {
        due: async (_, after) =>
          left.filter(({ dueAt }) => dueAt > (after?.dueAt ?? -1)).slice(0, duePerPage),
      },
      clock,
      podId: 'pod-0',
      mayTake: () => true,
      onBackgroundError: () => undefined,
    })
    sweep.start()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(passed.toSorted()).toEqual(mine.toSorted())
    await vi.advanceTimersByTimeAsync(9_000)
    // After 2, then 4 seconds.
    expect(passed.slice(mine.length)).toEqual([broken, broken])
    await directory.renew('pod-0', { ...lease, draining: true }, 3_600_000)
    left = all
    await vi.advanceTimersByTimeAsync(60_000)
    expect(passed.length).toBe(mine.length + 2)
    sweep.stop()
  } finally {
    vi.useRealTimers()
  }
})
