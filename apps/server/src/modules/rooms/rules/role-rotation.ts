import { isForRole } from '@atrium/contract'
import { blocksAround, roleInRound, roleRingOf, type Step } from '@atrium/flow'
import { perceives } from '../model/network.ts'
import { roleNamesOf } from '../model/role-names.ts'
import { isStillIn } from '../model/room-audience.ts'
import type { FlowState, Seat } from '../model/room-state.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'
import { emitToSeats, record, type Turn } from '../model/turn.ts'
import type { Unit } from './units.ts'

/** RM215: who takes which role when, once everyone has the seat and the role that they begin with. */
export function arrangeRotation({ room, blueprint }: Turn, declared: readonly string[]): void {
  if (!blueprint.blocks.hasRotation) return
  const { ring, places } = roleRingOf(
    room.seats.map(({ role }) => role),
    declared,
  )
  room.rotation = ring
  for (const [index, seat] of room.seats.entries()) seat.rotationPlace = places[index] ?? index
}

/** In a round of a block that rotates roles, the one of the round; elsewhere the one they were matched with. */
function roleIn({ room, blueprint }: Turn, seat: Seat, step: Step | undefined): string {
  if (!room.rotation || seat.rotationPlace === undefined) return seat.role
  const rotating = blocksAround(step).find(({ blockId }) => blueprint.blocks.rotates(blockId))
  return roleInRound(room.rotation, seat.rotationPlace, rotating?.round ?? 1) ?? seat.role
}

/** Whether somebody sees a state that is about to be entered, in the role that they have there. */
export function willSee(turn: Turn, seat: Seat, flow: FlowState, { state }: StateBlueprint): boolean {
  const step = flow.steps[flow.position]
  return seat.skips === undefined && isForRole(state, roleIn(turn, seat, step))
}

/** RM216: gives those who are still in the roles of the state that they enter, and tells everyone. Whoever has left keeps the last one. */
export function takeRoles(turn: Turn, { seats }: Unit, flow: FlowState): void {
  if (!turn.room.rotation) return
  const step = flow.steps[flow.position]
  const changed = seats.filter((seat) => isStillIn(seat) && roleIn(turn, seat, step) !== seat.role)
  if (changed.length === 0) return
  for (const seat of changed) {
    seat.role = roleIn(turn, seat, step)
    record(turn, seat, 'role_assigned', { stateId: step?.stateId ?? null, data: { role: seat.role } })
  }
  const rolesOf = (some: readonly Seat[]) => Object.fromEntries(some.map(({ alias, role }) => [alias, role]))
  const tell = (readers: readonly Seat[], language: string | undefined, roles: Record<string, string>) =>
    emitToSeats(turn, readers, {
      type: 'roles',
      roles,
      names: roleNamesOf(turn.blueprint.inLanguage(language)),
    })
  if (turn.room.network)
    for (const reader of seats)
      tell([reader], reader.language, rolesOf(changed.filter((one) => perceives(turn.room, reader, one))))
  else
    for (const [language, readers] of Map.groupBy(seats, ({ language }) => language))
      tell(readers, language, rolesOf(changed))
}
