import type { RoomEvent, RoomSnapshot } from '@atrium/contract'

/** As many as the server's own snapshot holds. */
const rememberedMessages = 200

/**
 * The room after an event. What the snapshot already includes is ignored, so events that overlap with a snapshot do no
 * harm. Pure: the same snapshot and events give the same view on every screen.
 */
export function applyRoomEvent(snapshot: RoomSnapshot, event: RoomEvent): RoomSnapshot {
  if (event.seq <= snapshot.seq) return snapshot
  return { ...changed(snapshot, event), seq: event.seq }
}

function changed(room: RoomSnapshot, event: RoomEvent): RoomSnapshot {
  switch (event.type) {
    case 'state_entered': {
      const { state, globalComponents, progress } = event
      return {
        ...room,
        state,
        globalComponents,
        progress,
        // Responses and readiness belong to one visit of one state.
        self: { ...room.self, ready: false, responses: {}, results: {} },
        others: room.others.map((other) => ({ ...other, ready: false })),
      }
    }
    case 'result': {
      const results = { ...room.self.results, [event.componentId]: event.result }
      return { ...room, self: { ...room.self, results } }
    }
    case 'message':
      return { ...room, messages: [...room.messages.slice(1 - rememberedMessages), event.message] }
    case 'ready':
      return withSeat(room, event.alias, { ready: true })
    case 'seat':
      return withSeat(room, event.alias, { status: event.status })
    case 'presence':
      return { ...room, others: withOther(room.others, event.alias, { presence: event.presence }) }
    case 'variables': {
      const self = { ...room.self, variables: { ...room.self.variables, ...event.self } }
      return { ...room, self, variables: { ...room.variables, ...event.room } }
    }
    case 'paused':
      return { ...room, status: 'paused' }
    case 'resumed':
      return {
        ...room,
        status: 'running',
        state: room.state && { ...room.state, deadlineAt: event.deadlineAt },
      }
    case 'finished':
      return over({ ...room, self: { ...room.self, status: 'finished', outcome: event.outcome } })
    case 'room_ended':
      return over({ ...room, status: 'ended' })
    // Who has answered is for the listener of events; the own value is added when its action is acknowledged.
    case 'response_recorded':
    case 'announcement':
      return room
    default:
      // An event of a newer server: not understood, but counted, so that its order is kept.
      event satisfies never
      return room
  }
}

/** There is nothing more to see for someone who is done, as in the server's snapshot. */
const over = (room: RoomSnapshot): RoomSnapshot => ({ ...room, state: null, globalComponents: [] })

type Other = RoomSnapshot['others'][number]

const withOther = (others: Other[], alias: string, facts: Partial<Other>): Other[] =>
  others.map((other) => (other.alias === alias ? { ...other, ...facts } : other))

const withSeat = (
  room: RoomSnapshot,
  alias: string,
  facts: Partial<Pick<Other, 'ready' | 'status'>>,
): RoomSnapshot =>
  alias === room.self.alias
    ? { ...room, self: { ...room.self, ...facts } }
    : { ...room, others: withOther(room.others, alias, facts) }

/** The own response, once it is acknowledged: events name only who has answered, not what. */
export function withOwnResponse(
  room: RoomSnapshot,
  response: { componentId: string; value: unknown; visit: number | undefined },
): RoomSnapshot {
  const { state } = room
  const isInSight = [...(state?.components ?? []), ...room.globalComponents].some(
    ({ id }) => id === response.componentId,
  )
  // The room may have moved on with this very response; then it belongs to a state that is over. Who answered before
  // they had seen the room cannot say in which visit that was: then it must be an answer to something they see now.
  if (response.visit === undefined ? !isInSight : state?.visit !== response.visit) return room
  const responses = { ...room.self.responses, [response.componentId]: response.value }
  return { ...room, self: { ...room.self, responses } }
}
