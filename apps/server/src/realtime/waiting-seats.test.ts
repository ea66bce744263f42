import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bus } from '../ports/bus.ts'
import type { SessionSocket } from './handshake.ts'
import { createWaitingSeats } from './waiting-seats.ts'

type Taken = Parameters<Bus['publish']>[1]

/** An instance whose clock the test sets; what others publish arrives when the test says so. */
function instance(publish: (message: Taken) => void) {
  let now = 0
  let hear: (message: Taken) => void = () => undefined
  const bus = {
    publish: async (_topic: string, message: Taken) => publish(message),
    subscribe: (_topic: string, listener: (message: Taken) => void) => {
      hear = listener
    },
    close: async () => undefined,
  } as unknown as Bus
  const seats = createWaitingSeats({ bus, clock: { now: () => now } })
  const inbox: Taken[] = []
  return {
    inbox,
    connect(at: number, socket: SessionSocket) {
      now = at
      seats.take(socket)
    },
    hearNext() {
      const message = inbox.shift()
      if (message) hear(message)
    },
  }
}

const step = fc.oneof(
  fc.record({ connects: fc.constant(true), pod: fc.nat(2), at: fc.nat(3), id: fc.uuid() }),
  fc.record({ connects: fc.constant(false), pod: fc.nat(2), at: fc.nat(3), id: fc.uuid() }),
)

test('[W16] of many sockets of one session on three instances, whatever their clocks say, exactly one stays', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const pods = Array.from({ length: 3 }, () =>
        // Like the bus, which delivers to its publisher as well.
        instance((message) => {
          for (const { inbox } of pods) inbox.push(message)
        }),
      )
      const connected = new Set<string>()
      for (const { connects, pod, at, id } of steps) {
        if (!connects) pods[pod]?.hearNext()
        else {
          connected.add(id)
          const socket = {
            id,
            data: { session: { sessionId: 'one' } },
            emit: () => undefined,
            disconnect: () => connected.delete(id),
          }
          pods[pod]?.connect(at, socket as unknown as SessionSocket)
        }
      }
      for (const pod of pods) while (pod.inbox.length > 0) pod.hearNext()
      expect(connected.size).toBe(steps.some(({ connects }) => connects) ? 1 : 0)
    }),
    { numRuns: 2_000 },
  )
})
