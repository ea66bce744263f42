import { roleIdsOf } from '@atrium/contract'
import type { Member } from '../rooms.store.ts'
import { record, seatOf, type Turn } from './turn.ts'
import { keeperAmong, recordInitial } from './variable-record.ts'

/** R54: what a room begins with: the condition and roles that were assigned, where there are any, and the variables. */
export function recordOpening(turn: Turn, members: readonly Member[]): void {
  const { room, blueprint } = turn
  const { definition } = blueprint
  const { conditions } = definition
  const hasRoles = roleIdsOf(definition).length > 0
  const seats = members.map(({ participantId }) => seatOf(turn, participantId))
  for (const seat of seats) {
    if (conditions)
      record(turn, seat, 'condition_assigned', {
        data: {
          condition: room.condition,
          seed: conditions.seed ?? room.experimentId,
          ordinal: room.ordinal,
        },
      })
    if (hasRoles) record(turn, seat, 'role_assigned', { data: { role: seat.role } })
  }
  const keeper = keeperAmong(turn, seats)
  if (keeper) recordInitial(turn, 'room', keeper, room.variables)
  for (const seat of seats) recordInitial(turn, seat, seat, seat.variables)
}
