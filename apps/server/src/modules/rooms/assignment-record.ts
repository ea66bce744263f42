import { roleIdsOf } from '@atrium/contract'
import type { Member } from './rooms.store.ts'
import { record, seatOf, type Turn } from './turn.ts'
import { keeperAmong, recordChange } from './variable-record.ts'

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
  if (keeper)
    for (const [variable, value] of Object.entries(room.variables))
      recordChange(turn, 'room', keeper, { variable, value, cause: 'initial' })
  for (const seat of seats)
    for (const [variable, value] of Object.entries(seat.variables))
      recordChange(turn, seat, seat, { variable, value, cause: 'initial' })
}
