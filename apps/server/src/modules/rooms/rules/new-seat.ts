import { type Assignment, planSteps, type Rows } from '@atrium/flow'
import { emptyVisit, type FlowState, type Seat } from '../model/room-state.ts'
import type { Turn } from '../model/turn.ts'
import { initialVariables } from '../model/variables.ts'
import type { Member } from '../rooms.store.ts'

/** A seat before the first state. Its participant is away until their socket connects. */
export function newSeat(
  turn: Turn,
  { participantId, role, metadata, carried }: Member,
  index: number,
  { isShared, assigned }: { isShared: boolean; assigned?: Assignment },
): Seat {
  const { room, blueprint, now } = turn
  const rows = assigned?.rows[index % assigned.rows.length]
  const condition = carried?.condition ?? assigned?.conditions?.[index % assigned.conditions.length]
  return {
    participantId,
    alias: `P${index + 1}`,
    role,
    ...(condition !== undefined && { condition }),
    status: 'active',
    outcome: null,
    presence: { kind: 'away', since: now, stateId: null, graceUntil: now + blueprint.dropout.graceMs },
    ...(metadata && { metadata }),
    variables: {
      ...initialVariables(blueprint, 'participant', `${room.seed} ${index}`),
      ...carried?.variables,
    },
    ...(carried?.roundValues && { roundValues: carried.roundValues }),
    responses: {},
    here: emptyVisit,
    flow: isShared ? null : newFlow(turn, `${room.seed} ${index}`, rows),
    recent: [],
  }
}

export const newFlow = ({ blueprint, room, now }: Turn, seed: string, rows: Rows | undefined): FlowState => ({
  steps: planSteps(blueprint.definition, seed, room.ordinal, rows, blueprint.trials.rows()),
  position: 0,
  visit: 0,
  taken: {},
  enteredAt: now,
  deadlineAt: null,
})
