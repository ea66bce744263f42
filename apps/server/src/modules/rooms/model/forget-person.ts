import type { Component } from '@atrium/contract'
import type { Value } from '@atrium/expressions'
import { type AgentPart, interrupted } from './agent-part.ts'
import type { Blueprint } from './blueprint.ts'
import { type PersonsWords, withoutWords } from './forget-words.ts'
import { emptyVisit, isOpen, type RoomState, type Seat, type StoredMessage } from './room-state.ts'
import { initialVariables } from './variables.ts'

/** Somebody who is deleted, and what stands for them from now on. */
export interface ForgottenPerson {
  participantId: string
  erasedId: string
}

/**
 * R48: the room as if this person had sat there and done nothing. The seat stays, so that the others' game goes on; what
 * agents remember and are about to say goes, because it may quote them.
 */
export function forgetPerson(
  room: RoomState,
  person: ForgottenPerson,
  blueprint: Blueprint,
  words?: PersonsWords,
): RoomState {
  const seats = room.seats.map((seat) =>
    seat.participantId === person.participantId
      ? {
          ...seat,
          status: isOpen(seat) ? ('left' as const) : seat.status,
          outcome: seat.outcome ?? 'NO_CONSENT',
        }
      : seat,
  )
  return blankPerson({ ...room, seats }, person, blueprint, words)
}

/** The same of a moment that is over: whoever was in the room then is shown in it, without what they did. */
export function blankPerson(
  room: RoomState,
  { participantId, erasedId }: ForgottenPerson,
  blueprint: Blueprint,
  words?: PersonsWords,
): RoomState {
  const left = room.seats.find((seat) => seat.participantId === participantId)
  if (!left) return room
  const variables = withoutAnswers(room.variables, left, blueprint)
  const initial = () => initialVariables(blueprint, 'participant', `${room.seed} ${room.seats.indexOf(left)}`)
  const seats = room.seats.map((seat) =>
    seat === left ? emptied(seat, initial()) : withoutMemory(withoutCopies(seat, left, initial())),
  )
  const forgotten: RoomState = {
    ...room,
    ...(words ? withoutWords(variables, seats, words) : { variables, seats }),
    messages: room.messages.filter((stored) => !isTheirs(stored, left)),
    ...(room.mediators && { mediators: room.mediators.map(withoutMemory) }),
  }
  // Ids are random, so this finds nothing but the person: who may read a message, who has stalled a video.
  return JSON.parse(JSON.stringify(forgotten).replaceAll(participantId, erasedId))
}

const emptied = (
  { departure: _when, gone: _since, metadata: _joinedWith, roundValues: _worth, ...seat }: Seat,
  variables: Seat['variables'],
): Seat => ({
  ...seat,
  variables,
  responses: {},
  here: emptyVisit,
  recent: [],
})

/** An agent that replaced them began with their answers. */
function withoutCopies(seat: Seat, left: Seat, initial: Seat['variables']): Seat {
  if (seat.participantId !== left.replacedBy) return seat
  const copied = (one: Value | undefined, other: Value | undefined) =>
    JSON.stringify(one) === JSON.stringify(other)
  const { unread: _theirs, ...here } = seat.here
  return {
    ...seat,
    variables: {
      ...initial,
      ...entriesWhere(seat.variables, (name, value) => !copied(value, left.variables[name])),
    },
    responses: entriesWhere(seat.responses, (id, value) => !copied(value, left.responses[id])),
    here: { ...here, answers: {} },
  }
}

const entriesWhere = (
  entries: Readonly<Record<string, Value>>,
  isKept: (key: string, value: Value) => boolean,
): Record<string, Value> =>
  Object.fromEntries(Object.entries(entries).filter(([key, value]) => isKept(key, value)))

/** What an agent remembers, and what it is about to say, may quote them; it is asked again. */
function withoutMemory<Holder extends { agent?: AgentPart }>(holder: Holder): Holder {
  if (!holder.agent?.memory && !holder.agent?.coming) return holder
  const { memory: _quotes, ...agent } = holder.agent.coming ? interrupted(holder.agent) : holder.agent
  return { ...holder, agent }
}

/** Sent by them, or to nobody but them. */
const isTheirs = ({ message, by, to }: StoredMessage, { alias, participantId }: Seat): boolean =>
  (by === undefined ? message.from === alias : by === participantId) ||
  (to?.length === 1 && to[0] === participantId)

/**
 * Room variables that hold an answer of theirs, as their component saved it. The seat has only the last answer to an id: where
 * components with the same id save to different variables, nothing tells which ones are theirs, and all of them go.
 */
function withoutAnswers(
  variables: RoomState['variables'],
  { responses }: Seat,
  { definition, variables: declared }: Blueprint,
): RoomState['variables'] {
  const { states, globalComponents = [] } = definition
  const components: Component[] = [
    ...states.flatMap(({ components = [] }) => components),
    ...globalComponents,
  ]
  const kept: Record<string, Value> = { ...variables }
  const saving = components.flatMap(({ id, saveTo }) => (saveTo === undefined ? [] : [{ id, saveTo }]))
  for (const { id, saveTo } of saving) {
    if (!Object.hasOwn(responses, id) || !Object.hasOwn(variables, saveTo)) continue
    const isOnlyOne = saving.every((other) => other.id !== id || other.saveTo === saveTo)
    if (isOnlyOne && JSON.stringify(variables[saveTo]) !== JSON.stringify(responses[id])) continue
    kept[saveTo] = declared.get(saveTo)?.initial ?? null
  }
  return kept
}
