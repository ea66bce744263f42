import { random, shuffledBy } from '@atrium/flow'
import type { ComponentBlueprint } from './component-blueprint.ts'
import type { FlowState, RoomState, Seat } from './room-state.ts'
import type { StateBlueprint } from './state-blueprint.ts'
import { componentsOfState } from './visible-components.ts'

/**
 * RM242: the components of a state that a participant sees, in their order. Where the state shuffles, it is drawn from the seed of the room
 * for each alias, which does not change when an agent goes on for somebody, and for each visit; components that are not shuffled keep their places.
 */
export function componentsInOrder(
  { seed }: Pick<RoomState, 'seed'>,
  seat: Seat,
  blueprint: StateBlueprint,
  visit: number,
): ComponentBlueprint[] {
  const seen = componentsOfState(seat, blueprint)
  const { id, shuffle = false } = blueprint.state
  if (shuffle === false) return seen
  const moves = ({ component }: ComponentBlueprint): boolean =>
    shuffle === true || shuffle.includes(component.id)
  const drawn = shuffledBy(
    seen.filter(moves),
    random(`${seed} ${seat.alias} shuffle ${id} ${visit}`),
  ).values()
  return seen.map((one) => (moves(one) ? (drawn.next().value ?? one) : one))
}

/** What the record says of it; nothing where the order is the same for everyone. */
export function recordedOrder(
  room: RoomState,
  seat: Seat,
  blueprint: StateBlueprint,
  { visit }: FlowState,
): { components?: string[] } {
  if (!blueprint.state.shuffle) return {}
  return { components: componentsInOrder(room, seat, blueprint, visit).map(({ component }) => component.id) }
}
