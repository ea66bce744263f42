import { conditionNamesOf } from '@atrium/contract'
import type { Value } from '@atrium/expressions'
import { drawWeighted, random, strataVariablesOf } from '@atrium/flow'
import { isPerson } from '../model/agents-in-room.ts'
import type { Blueprint } from '../model/blueprint.ts'
import type { RoomAction } from '../model/room-action.ts'
import { recordCondition } from '../model/room-records.ts'
import { conditionIn, isOpen, type RoomState, type Seat } from '../model/room-state.ts'
import { type Turn, workFor } from '../model/turn.ts'
import { scopeFor } from '../model/variables.ts'
import type { Unit } from './units.ts'

/**
 * RM207: where strata are participant variables, a person's condition is assigned at the end of the first state after which each
 * of these has a value. Until the store has said which it is, nobody who moves with them goes on.
 */
export function assignsConditions(turn: Turn, unit: Unit): boolean {
  const { seats } = unit
  const names = strataVariablesOf(turn.blueprint.definition)
  if (names.length === 0) return false
  for (const seat of seats) {
    if (!isOpen(seat) || conditionIn(turn.room, seat) !== null) continue
    if (Object.values(strataIn(turn.room, turn.blueprint, seat)).includes(null)) continue
    if (isPerson(seat)) seat.toAssignSince ??= turn.now
    else drawForAgent(turn, seat)
  }
  return isAssigning(unit)
}

export const isAssigning = ({ seats }: Unit): boolean =>
  seats.some(({ toAssignSince }) => toAssignSince !== undefined)

/** The values by which somebody is to be assigned a condition. */
export function strataIn(room: RoomState, blueprint: Blueprint, seat: Seat): Record<string, Value> {
  const scope = scopeFor(room, blueprint, { seat, flow: seat.flow ?? room.flow, work: workFor(0) })
  const names = strataVariablesOf(blueprint.definition)
  return Object.fromEntries(names.map((name) => [name, scope.variable(name) ?? null]))
}

/** Agents count for nobody. */
function drawForAgent(turn: Turn, seat: Seat): void {
  const { conditions } = turn.blueprint.definition
  if (!conditions) return
  const names = conditionNamesOf({ conditions })
  const drawn = random(`${turn.room.seed} condition ${turn.room.seats.indexOf(seat)}`)()
  const condition = names[drawWeighted(conditions, names, drawn)]
  if (condition !== undefined) seat.condition = condition
}

/** Takes what the store has assigned. */
export function takeCondition(turn: Turn, seat: Seat, { condition }: RoomAction<'assigned'>): void {
  delete seat.toAssignSince
  if (condition === null || !isOpen(seat)) return
  seat.condition = condition
  recordCondition(turn, seat)
}
