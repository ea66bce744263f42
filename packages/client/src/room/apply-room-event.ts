import type { RoomActionPayload, RoomEvent, RoomEventType, RoomSnapshot } from '@atrium/contract'

/** As many as the server's own snapshot holds. */
const rememberedMessages = 200

/** Figures have no number of their own: they say how the room is after the event whose number they bear. */
export const isIncludedIn = (
  { seq }: Pick<RoomSnapshot, 'seq'>,
  event: Pick<RoomEvent, 'seq' | 'type'>,
): boolean => event.seq < seq || (event.seq === seq && event.type !== 'crowd')

/**
 * The room after an event. Events that the snapshot already includes are ignored, so an overlap does no harm. Pure: the
 * same snapshot and events give the same view on every screen.
 */
export function applyRoomEvent(snapshot: RoomSnapshot, event: RoomEvent): RoomSnapshot {
  if (isIncludedIn(snapshot, event)) return snapshot
  // An event of a newer server is not understood, but counted, so that the order is kept.
  const room = Object.hasOwn(eventRules, event.type) ? changed(snapshot, event) : snapshot
  return { ...room, seq: event.seq }
}

type EventOf<Type extends RoomEventType> = { [Each in Type]: Extract<RoomEvent, { type: Each }> }[Type]

function changed<Type extends RoomEventType>(room: RoomSnapshot, event: EventOf<Type>): RoomSnapshot {
  return eventRules[event.type](room, event)
}

/** What each event changes in the view. An event without an entry does not compile. */
const eventRules: { [Type in RoomEventType]: (room: RoomSnapshot, event: EventOf<Type>) => RoomSnapshot } = {
  state_entered(room, { state, globalComponents, progress, unread }) {
    // Responses, readiness and what is told about the state before belong to one visit.
    const { unread: _former, ...self } = room.self
    return {
      ...room,
      state,
      globalComponents,
      progress,
      self: { ...self, ready: false, responses: {}, results: {}, ...(unread && { unread }) },
      others: room.others.map((other) => ({ ...other, ready: false })),
      ...(room.crowd && { crowd: { ...room.crowd, ready: 0 } }),
    }
  },
  crowd: (room, { crowd }) => ({ ...room, crowd }),
  result: (room, { componentId, result }) => ({
    ...room,
    self: { ...room.self, results: { ...room.self.results, [componentId]: result } },
  }),
  message: (room, { message }) => ({
    ...room,
    messages: [...room.messages.slice(1 - rememberedMessages), message],
  }),
  ready: (room, { alias }) => withSeat(room, alias, { ready: true }),
  seat: (room, { alias, status }) => withSeat(room, alias, { status }),
  seated: (room, { other }) => ({
    ...room,
    others: [...room.others.filter(({ alias }) => alias !== other.alias), other],
  }),
  neighbours: (room, { others }) => ({ ...room, others }),
  roles: (room, { roles, names }) => ({
    ...room,
    self: { ...room.self, role: entryOf(roles, room.self.alias) ?? room.self.role },
    others: room.others.map((other) => withRole(other, entryOf(roles, other.alias), names)),
  }),
  presence: (room, { alias, presence }) => ({ ...room, others: withOther(room.others, alias, { presence }) }),
  variables: (room, event) => ({
    ...room,
    self: { ...room.self, variables: { ...room.self.variables, ...event.self } },
    variables: { ...room.variables, ...event.room },
  }),
  // The same visit with other values in its texts: nothing that was entered is lost.
  texts: (room, { state, globalComponents }) => ({ ...room, state, globalComponents }),
  paused: (room) => ({ ...room, status: 'paused' }),
  resumed: (room, { deadlineAt, shownDeadlineAt }) => ({
    ...room,
    status: 'running',
    state: room.state && {
      ...room.state,
      deadlineAt,
      ...(shownDeadlineAt !== undefined && { shownDeadlineAt }),
    },
  }),
  finished: (room, { outcome }) => over({ ...room, self: { ...room.self, status: 'finished', outcome } }),
  stage_finished: (room, { next }) =>
    over({ ...room, self: { ...room.self, status: 'finished', nextStage: next } }),
  room_ended: (room) => over({ ...room, status: 'ended' }),
  // Listeners learn who has answered; the participant's own value is added when their action is acknowledged.
  response_recorded: unchanged,
  announcement: unchanged,
}

export function unchanged(room: RoomSnapshot): RoomSnapshot {
  return room
}

/** A participant who is done sees nothing more, as in the server's snapshot. */
const over = (room: RoomSnapshot): RoomSnapshot => ({ ...room, state: null, globalComponents: [] })

type Other = RoomSnapshot['others'][number]

/** An alias may be called `constructor`, which every object inherits. */
const entryOf = (entries: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(entries, key) ? entries[key] : undefined

function withRole(other: Other, role: string | undefined, names: Readonly<Record<string, string>>): Other {
  if (role === undefined) return other
  const { roleName: _former, ...rest } = other
  const roleName = entryOf(names, role)
  return { ...rest, role, ...(roleName !== undefined && { roleName }) }
}

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

/** Adds the participant's own response once it is acknowledged: events say who has answered, not what. */
export function withOwnResponse(
  room: RoomSnapshot,
  {
    componentId,
    value,
    visit,
  }: Pick<RoomActionPayload<'submit_response'>, 'componentId' | 'value' | 'visit'>,
): RoomSnapshot {
  const { state } = room
  const isInSight = [...(state?.components ?? []), ...room.globalComponents].some(
    ({ id }) => id === componentId,
  )
  // The room may have moved on with this very response, which then belongs to a state that is over. A response sent
  // before the first snapshot names no visit; then it must answer something that is visible now.
  if (visit === undefined ? !isInSight : state?.visit !== visit) return room
  return { ...room, self: { ...room.self, responses: { ...room.self.responses, [componentId]: value } } }
}
