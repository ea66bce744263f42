import type { PlaybackState } from '@atrium/contract'
import type { Blueprint } from './blueprint.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import type { Medium } from './medium.ts'
import { publicState } from './playback.ts'
import { isStillIn } from './room-audience.ts'
import type { FlowState, RoomState, Seat } from './room-state.ts'
import { flowOf, seesComponentOf, stateOf } from './visible-components.ts'

export type MediumInStep = Medium<ComponentBlueprint>

/** The path that everyone in the room is on; null when participants move at their own pace. */
export const sharedFlow = ({ flow, seats }: Pick<RoomState, 'flow' | 'seats'>): FlowState | null =>
  flow ?? (seats.length === 1 ? (seats[0]?.flow ?? null) : null)

/** What plays in step in the room now. People who are alone play alone, unless the definition says otherwise. */
export function mediaInStep(room: RoomState, blueprint: Blueprint): readonly MediumInStep[] {
  const state = room.status.kind === 'ended' ? undefined : stateOf(blueprint, sharedFlow(room))
  if (!state) return []
  const media = blueprint.media(state)
  return room.seats.length > 1 ? media : media.filter(({ controlledBy }) => controlledBy !== null)
}

/** Whether they see a component in the state that the room is in. */
export function seesNow(
  room: RoomState,
  blueprint: Blueprint,
  seat: Seat,
  shown: ComponentBlueprint,
): boolean {
  const state = stateOf(blueprint, flowOf(room, seat))
  return state !== undefined && seesComponentOf(blueprint, seat, state, shown)
}

/** R27: what a participant who connects now is told about everything that plays in step. */
export function playbackFor(room: RoomState, blueprint: Blueprint, participantId: string): PlaybackState[] {
  const seat = room.seats.find((one) => one.participantId === participantId)
  if (!seat || !isStillIn(seat)) return []
  return mediaInStep(room, blueprint)
    .filter(({ component }) => seesNow(room, blueprint, seat, component))
    .flatMap(({ id }) => room.playback?.find(({ componentId }) => componentId === id) ?? [])
    .map(publicState)
}
