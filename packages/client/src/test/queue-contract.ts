import { describe, expect, test } from 'vitest'
import { EventIdTaken } from '../errors.ts'
import type { QueuedEvent, QueueStore } from '../queue/queue-store.ts'

const queued = (number: number, more: Partial<QueuedEvent> = {}): QueuedEvent => ({
  type: 'click',
  eventId: `e${number}`,
  timestamp: number,
  data: { number },
  ...more,
})

const ids = (events: QueuedEvent[]): string[] => events.map(({ eventId }) => eventId)
const why = { code: 'VALIDATION_FAILED', message: 'no', at: 1 }

/** What every queue store must do. `reopen` gives the store that a restarted program would have. */
export function describeQueueStore(
  name: string,
  create: () => Promise<{ store: QueueStore; reopen(): Promise<QueueStore> }>,
): void {
  describe(`queue store: ${name}`, () => {
    test('gives the oldest first, in the order of the calls, and keeps what it gave', async () => {
      const queue = await (await create()).store.open('a')
      await Promise.all([1, 2, 3, 4].map((number) => queue.append(queued(number))))
      expect(ids(await queue.take(3))).toEqual(['e1', 'e2', 'e3'])
      expect(await queue.take(1)).toEqual([queued(1)])
      await queue.close()
    })

    test('forgets what is acknowledged and counts it', async () => {
      const queue = await (await create()).store.open('a')
      for (const number of [1, 2, 3]) await queue.append(queued(number))
      await queue.acknowledge(['e1', 'e3', 'unknown'])
      await queue.acknowledge(['e1'])
      expect(ids(await queue.take(10))).toEqual(['e2'])
      expect(await queue.counts()).toEqual({ pending: 1, quarantined: 0, acknowledged: 2 })
      await queue.close()
    })

    test('sets aside what is refused, with the reason, in order', async () => {
      const queue = await (await create()).store.open('a')
      for (const number of [1, 2, 3]) await queue.append(queued(number))
      await queue.quarantine(['e2', 'unknown'], why)
      await queue.quarantine(['e1', 'e2'], { ...why, at: 2 })
      expect(ids(await queue.take(10))).toEqual(['e3'])
      expect(await queue.quarantined()).toEqual([
        { event: queued(2), ...why },
        { event: queued(1), ...why, at: 2 },
      ])
      expect(await queue.counts()).toEqual({ pending: 1, quarantined: 2, acknowledged: 0 })
      await queue.close()
    })

    test('keeps one event under one id; other content under it is an error and changes nothing', async () => {
      const queue = await (await create()).store.open('a')
      await queue.append(queued(1))
      await queue.append(queued(1))
      await expect(queue.append(queued(1, { data: { number: 2 } }))).rejects.toThrow(EventIdTaken)
      expect(await queue.take(10)).toEqual([queued(1)])
      await queue.append(queued(2))
      expect(await queue.counts()).toEqual({ pending: 2, quarantined: 0, acknowledged: 0 })
      await queue.close()
    })

    test('keeps participations apart', async () => {
      const { store } = await create()
      const [one, other] = [await store.open('a'), await store.open('b')]
      await one.append(queued(1))
      await other.append(queued(1, { data: { other: true } }))
      await one.acknowledge(['e1'])
      expect(await one.counts()).toEqual({ pending: 0, quarantined: 0, acknowledged: 1 })
      expect(await other.counts()).toEqual({ pending: 1, quarantined: 0, acknowledged: 0 })
      await Promise.all([one.close(), other.close()])
    })

    test('finds everything again after it was closed', async () => {
      const { store, reopen } = await create()
      const before = await store.open('a')
      for (const number of [1, 2, 3, 4]) await before.append(queued(number))
      await before.acknowledge(['e2'])
      await before.quarantine(['e1'], why)
      await before.close()
      const after = await (await reopen()).open('a')
      expect(ids(await after.take(10))).toEqual(['e3', 'e4'])
      expect(await after.quarantined()).toEqual([{ event: queued(1), ...why }])
      expect(await after.counts()).toEqual({ pending: 2, quarantined: 1, acknowledged: 1 })
      await after.append(queued(5))
      expect(ids(await after.take(10))).toEqual(['e3', 'e4', 'e5'])
      await after.close()
    })
  })
}
