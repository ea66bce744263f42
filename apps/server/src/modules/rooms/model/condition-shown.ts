import type { Agent, State } from '@atrium/contract'
import type { Blueprint } from './blueprint.ts'
import { conditionIn, type RoomState, type Seat } from './room-state.ts'

/** RM180: the name as one participant may know it. */
export const conditionFor = (room: RoomState, blueprint: Blueprint, seat: Seat): string | null =>
  blueprint.showsCondition(seat.role) ? conditionIn(room, seat) : null

/** RM180: a model knows it as well where its instructions name it. */
export function conditionForModel(
  room: RoomState,
  seat: Seat | null,
  { definition }: Blueprint,
  { instructions }: Agent,
  state: State | undefined,
): string | null {
  const written = [definition.agentInstructions, instructions, state?.agentInstructions]
  return written.some((text) => text?.includes('experiment.condition')) ? conditionIn(room, seat) : null
}
