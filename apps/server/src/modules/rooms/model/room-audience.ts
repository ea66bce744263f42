import type { RoomEvent } from '@atrium/contract'
import type { Blueprint } from './blueprint.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import { isOpen, type RoomState, type Seat, type StoredMessage } from './room-state.ts'
import type { StateBlueprint } from './state-blueprint.ts'
import { flowOf, isShownIn, seesComponentOf, stateOf } from './visible-components.ts'

/**
 * Who receives an event: everyone still in the room, or the participants named. An event for nobody takes a number all the
 * same, so that a replayed room counts as it did when people who had left still received events.
 */
export type Audience = { kind: 'room' } | { kind: 'participants'; participantIds: readonly string[] }

export interface Emitted {
  audience: Audience
  event: RoomEvent
}

/** RM53: participants who have finished, left, been removed or replaced receive nothing more. */
export const isStillIn = (seat: Seat): boolean => isOpen(seat) || seat.status === 'agent'

/** Whether a participant who connects now receives what is sent to the whole room. */
export const isListening = ({ seats }: RoomState, participantId: string): boolean =>
  seats.some((seat) => seat.participantId === participantId && isStillIn(seat))

/** Those of the listeners who are still in. */
export function audienceOf({ seats }: Pick<RoomState, 'seats'>, listeners: readonly Seat[]): Audience {
  const present = listeners.filter(isStillIn)
  if (present.length === seats.filter(isStillIn).length) return { kind: 'room' }
  return { kind: 'participants', participantIds: present.map(({ participantId }) => participantId) }
}

/** R53: who is still in and sees the component now, judged by the state that each of them is in. */
export function viewersOf(room: RoomState, blueprint: Blueprint, component: ComponentBlueprint): Seat[] {
  // Looked up once per state: a thousand people may be in the same one.
  const shownIn = new Map<StateBlueprint, boolean>()
  return room.seats.filter((seat) => {
    const state = isStillIn(seat) ? stateOf(blueprint, flowOf(room, seat)) : undefined
    if (!state || !seesComponentOf(blueprint, seat, state, component)) return false
    const isShown = shownIn.get(state) ?? isShownIn(blueprint, state, component)
    shownIn.set(state, isShown)
    return isShown
  })
}

/** Everyone whose role may read a chat of this state, whether or not they see it now. */
export const readersOf = (
  room: RoomState,
  blueprint: Blueprint,
  state: StateBlueprint,
  chat: ComponentBlueprint,
): Seat[] => room.seats.filter((seat) => seesComponentOf(blueprint, seat, state, chat))

/** Whether a stored message reached this participant, or would have if they had been connected. */
export const hasReached = ({ to, missedBy }: StoredMessage, participantId: string): boolean =>
  (to === null || to.includes(participantId)) && !missedBy?.includes(participantId)

/** One event on its way: to everyone still in, to participants by name, or to both. */
interface Delivery {
  event: RoomEvent
  isForRoom: boolean
  participantIds: readonly string[]
  /** Participants who are no longer part of the room's audience after this event. */
  leaving: readonly string[]
}

const nobody: readonly string[] = []

/** Several actions without the texts that somebody would replace before they can read them: by newer ones, or by another state. */
export function withoutOldTexts(actions: readonly (readonly Emitted[])[]): (readonly Emitted[])[] {
  const replaced = new Set<string>()
  const isNews = ({ audience, event }: Emitted): boolean => {
    if (audience.kind === 'room' || (event.type !== 'texts' && event.type !== 'state_entered')) return true
    const isOld = event.type === 'texts' && audience.participantIds.every((id) => replaced.has(id))
    for (const id of audience.participantIds) replaced.add(id)
    return !isOld
  }
  return actions
    .toReversed()
    .map((emitted) => emitted.toReversed().filter(isNews).toReversed())
    .toReversed()
}

/**
 * The events of one action, in order. Participants who finish with it receive nothing about the room after that except
 * its end, which concerns them as well.
 */
export function deliveriesOf(emitted: readonly Emitted[]): Delivery[] {
  const finished: string[] = []
  return emitted.map(({ audience, event }) => {
    if (audience.kind === 'room') {
      const participantIds = event.type === 'room_ended' ? [...finished] : nobody
      return { event, isForRoom: true, participantIds, leaving: nobody }
    }
    const { participantIds } = audience
    if (event.type !== 'finished' && event.type !== 'stage_finished')
      return { event, isForRoom: false, participantIds, leaving: nobody }
    // The end of a room concerns whoever has gone on to another as little as the rest of it.
    if (event.type === 'finished') finished.push(...participantIds)
    return { event, isForRoom: false, participantIds, leaving: participantIds }
  })
}
