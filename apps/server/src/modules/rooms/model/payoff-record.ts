import type { Seat } from './room-state.ts'
import { record, type Turn, workFor } from './turn.ts'
import { scopeFor } from './variables.ts'

/** R54: what somebody has earned when their part ends, whatever it ends with. Work of its own: it decides nothing. */
export function recordPayoffs(turn: Turn, seat: Seat): void {
  const { room, blueprint } = turn
  if (blueprint.payoffs.length === 0) return
  const work = workFor(0)
  const scope = scopeFor(room, blueprint, { seat, flow: seat.flow ?? room.flow, work })
  for (const variable of blueprint.payoffs)
    record(turn, seat, 'payoff', { data: { variable, value: scope.variable(variable) ?? null } })
}
