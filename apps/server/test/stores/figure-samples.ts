import type { EventToStore } from '../../src/modules/events/events.store.ts'
import type { RoomAppend } from '../../src/modules/rooms/rooms.store.ts'
import { anEvent } from './samples.ts'

/** Answers that took different times, ways between states, and what is in no plot. */
export function variedEvent(number: number, size: number): EventToStore {
  const data = (content: object) => JSON.stringify(content)
  const state = `s${number % 2}`
  switch ((number + size) % 5) {
    case 0:
      return anEvent(number, {
        type: 'state_transition',
        stateId: state,
        data: data({ fromState: size % 2 ? 's9' : null, toState: state }),
      })
    case 1:
      return anEvent(number, { data: data({ value: 'x', responseTime: 100 * size ** 3 }) })
    case 2:
      return anEvent(number, {
        flags: 'unknown_component',
        data: data({ value: 'responseTime', responseTime: 7 }),
      })
    case 3:
      return anEvent(number, { type: 'finished', data: data({ fromState: state }) })
    default:
      return anEvent(number)
  }
}

/** What a room records of somebody: a state, an answer, and one way or the other to end. */
export function partOf(participantId: string, number: number): RoomAppend['records'] {
  const event = (type: string, data: object, visit: number | null) => ({
    ...anEvent(number, { type, data: JSON.stringify(data) }),
    round: null,
    visit,
  })
  return [
    event('state_transition', { fromState: null, toState: 's1' }, 1),
    event('component_response', { value: 1, responseTime: number * 450 }, 1),
    number % 2 ? event('left', { fromState: 's1' }, 1) : event('finished', { fromState: 's1' }, null),
  ].map((recorded) => ({ participantId, event: recorded }))
}

/** One event, as servers before migration 0019 store it. */
export const storedByOlderServer = (sessionId: string, receivedAt: number): string => `
  insert into events (stream_no, seq, type, timestamp, received_at, data, flags)
    select stream_no, last_seq + 1, 'older', ${receivedAt}, ${receivedAt}, '{}', ''
    from event_streams where session_id = '${sessionId}';
  update event_streams set last_seq = last_seq + 1, client_events = client_events + 1
    where session_id = '${sessionId}';
`
