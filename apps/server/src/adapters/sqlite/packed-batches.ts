import type { EventBatch, EventToStore } from '../../modules/events/events.store.ts'

type Value = string | number | null

/** A batch as one list: its four own values, then those of its events, one after the other. */
export type PackedBatch = Value[]

const ownValues = 4
const eventValues = 8

/**
 * What the threads exchange is copied, and objects are copied slowly: measured for ten events 24 µs as objects, 8 µs as
 * one list of values.
 */
export function pack({ sessionId, idempotencyKey, bodyHash, receivedAt, events }: EventBatch): PackedBatch {
  const values: PackedBatch = [sessionId, idempotencyKey, bodyHash, receivedAt]
  for (const event of events)
    values.push(
      event.eventId,
      event.type,
      event.stateId,
      event.componentId,
      event.timestamp,
      event.data,
      event.flags,
      event.extra,
    )
  return values
}

export function unpack(values: PackedBatch): EventBatch {
  const [sessionId, idempotencyKey, bodyHash, receivedAt] = values as [string, string | null, string, number]
  const events: EventToStore[] = []
  for (let at = ownValues; at < values.length; at += eventValues)
    events.push({
      eventId: values[at] as string | null,
      type: values[at + 1] as string,
      stateId: values[at + 2] as string | null,
      componentId: values[at + 3] as string | null,
      timestamp: values[at + 4] as number,
      data: values[at + 5] as string,
      flags: values[at + 6] as string,
      extra: values[at + 7] as string | null,
    })
  return { sessionId, idempotencyKey, bodyHash, receivedAt, events }
}
