import type { Blueprint } from './blueprint.ts'
import { isOpen, type RoomState, type Seat } from './room-state.ts'
import { emitToSeat, type Turn } from './turn.ts'
import { stateAndGlobalsFor } from './view.ts'
import { flowOf, globalComponents, stateOf } from './visible-components.ts'

/**
 * In a larger group every action would write everybody's page twice. There, texts are written when a state is shown, and
 * values that change meanwhile belong into a component.
 */
const largestLiveGroup = 100

/** Values in a text change with what happens in the room. Tells everyone whose page reads differently after an action. */
export function emitTexts(turn: Turn, before: RoomState): void {
  const { room, blueprint } = turn
  if (!blueprint.hasInserts || room.seats.length > largestLiveGroup) return
  room.seats.forEach((seat, index) => {
    const former = before.seats[index]
    if (!former || !isOpen(seat) || !isSameVisit(room, seat, before, former)) return
    if (!showsValues(room, blueprint, seat)) return
    const is = stateAndGlobalsFor(room, blueprint, seat)
    if (is && JSON.stringify(is) !== JSON.stringify(stateAndGlobalsFor(before, blueprint, former)))
      emitToSeat(turn, seat, { type: 'texts', ...is })
  })
}

/** Whoever enters another state gets all of its texts anyway. */
const isSameVisit = (room: RoomState, seat: Seat, before: RoomState, former: Seat): boolean =>
  flowOf(room, seat)?.visit === flowOf(before, former)?.visit

function showsValues(room: RoomState, blueprint: Blueprint, seat: Seat): boolean {
  const spoken = blueprint.inLanguage(seat.language)
  const state = stateOf(spoken, flowOf(room, seat))
  return (
    (state?.hasInserts ?? false) ||
    globalComponents(spoken, seat, state?.state.id).some(({ hasInserts }) => hasInserts)
  )
}
