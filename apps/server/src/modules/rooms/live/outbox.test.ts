import type { RoomEvent } from '@atrium/contract'
import { expect, it } from 'vitest'
import type { Emitted } from '../model/room-audience.ts'
import { createOutbox } from './outbox.ts'

const event = (seq: number, type: RoomEvent['type'], ...participantIds: string[]): Emitted => ({
  audience: participantIds.length > 0 ? { kind: 'participants', participantIds } : { kind: 'room' },
  event: { type, seq, at: 0 } as RoomEvent,
})

function outboxWith(isUsedUp: () => boolean) {
  const sent: number[] = []
  const outbox = createOutbox((_, emitted) => sent.push(...emitted.map((one) => one.event.seq)), { isUsedUp })
  return { outbox, sent }
}

it('[RM147] of the texts of one commit, everyone gets the newest, in order with everything else', async () => {
  const { outbox, sent } = outboxWith(() => false)
  outbox.add('room', [event(1, 'response_recorded'), event(2, 'texts', 'a'), event(3, 'texts', 'b')])
  outbox.add('room', [event(4, 'response_recorded'), event(5, 'texts', 'a')])
  outbox.add('room', [event(6, 'state_entered', 'b'), event(7, 'texts', 'c')])
  expect(sent).toEqual([])
  await outbox.whenEmpty('room')
  expect(sent).toEqual([1, 4, 5, 6, 7])
})

it('[RM147] what has no texts in front of it is sent at once', async () => {
  const { outbox, sent } = outboxWith(() => false)
  outbox.add('room', [event(1, 'response_recorded')])
  expect(sent).toEqual([1])
  outbox.add('room', [event(2, 'texts', 'a')])
  outbox.add('room', [event(3, 'response_recorded')])
  outbox.add('other', [event(4, 'response_recorded')])
  expect(sent).toEqual([1, 4])
  await outbox.whenEmpty('room')
  expect(sent).toEqual([1, 4, 2, 3])
})

it('[RM147] what does not fit into a turn of the event loop waits for the next, where newer texts replace it', async () => {
  const { outbox, sent } = outboxWith(() => true)
  for (const seq of [1, 2, 3]) outbox.add('room', [event(seq, 'texts', `p${seq}`)])
  await Promise.resolve()
  expect(sent).toEqual([1])
  outbox.add('room', [event(4, 'texts', 'p2')])
  await outbox.whenEmpty('room')
  expect(sent).toEqual([1, 3, 4])
})

it('[RM59] what waits for a room that is lost is not sent', async () => {
  const { outbox, sent } = outboxWith(() => false)
  outbox.add('room', [event(1, 'texts', 'a')])
  outbox.discard('room')
  await outbox.whenEmpty('room')
  expect(sent).toEqual([])
})
