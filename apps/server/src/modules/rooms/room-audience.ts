import type { RoomEvent } from '@atrium/contract'
import type { Blueprint, ComponentBlueprint, StateBlueprint } from './blueprint.ts'
import { isOpen, type RoomState, type Seat } from './room-state.ts'
import { flowOf, isShownIn, seesComponentOf, stateOf } from './visible-components.ts'

/**
 * Who hears an event: everyone who is still in, or these. One for nobody has its number all the same, so that a room that is
 * replayed counts as it did when those who had left were still told.
 */
export type Audience = { kind: 'room' } | { kind: 'participants'; participantIds: readonly string[] }

/** RM53: who has finished, left, been removed or replaced hears nothing more. */
export const isStillIn = (seat: Seat): boolean => isOpen(seat) || seat.status === 'agent'

/** Those of them who are still in. */
export function audienceOf({ seats }: Pick<RoomState, 'seats'>, listeners: readonly Seat[]): Audience {
  const heardBy = listeners.filter(isStillIn)
  if (heardBy.length === seats.filter(isStillIn).length) return { kind: 'room' }
  return { kind: 'participants', participantIds: heardBy.map(({ participantId }) => participantId) }
}

/** R53: who is still in and sees the component now, each where they are themselves. */
export function whoSees(room: RoomState, blueprint: Blueprint, component: ComponentBlueprint): Seat[] {
  // Once for each state: a thousand people may be in one.
  const shownIn = new Map<StateBlueprint, boolean>()
  return room.seats.filter((seat) => {
    const state = isStillIn(seat) ? stateOf(blueprint, flowOf(room, seat)) : undefined
    if (!state || !seesComponentOf(blueprint, seat, state, component)) return false
    const isShown = shownIn.get(state) ?? isShownIn(blueprint, state, component)
    shownIn.set(state, isShown)
    return isShown
  })
}

/** Whose role may read a chat of this state, whether they are there or not. */
export const whoMayRead = (
  room: RoomState,
  blueprint: Blueprint,
  state: StateBlueprint,
  chat: ComponentBlueprint,
): Seat[] => room.seats.filter((seat) => seesComponentOf(blueprint, seat, state, chat))

/** One event on its way to those who are still in, to some by name, or to both. */
interface Delivery {
  event: RoomEvent
  isForRoom: boolean
  participantIds: readonly string[]
}

/**
 * The events of one action, in order. Who finishes with it hears nothing of the room after that but its end, which is
 * theirs as well.
 */
export function deliveriesOf(emitted: readonly { audience: Audience; event: RoomEvent }[]): Delivery[] {
  const finished: string[] = []
  return emitted.map(({ audience, event }) => {
    if (audience.kind === 'room')
      return { event, isForRoom: true, participantIds: event.type === 'room_ended' ? [...finished] : [] }
    if (event.type === 'finished') finished.push(...audience.participantIds)
    return { event, isForRoom: false, participantIds: audience.participantIds }
  })
}
