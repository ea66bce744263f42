import type { ExperimentDefinition } from '@atrium/contract'
import type { Value } from '@atrium/expressions'
import { conditionIn, type RoomState, type RoundValue, type Seat } from './room-state.ts'

/** R68: what somebody takes along from one stage to the next. */
export interface Carried {
  variables: Readonly<Record<string, Value>>
  roundValues?: readonly RoundValue[]
  condition?: string
}

export function carriedBy(room: RoomState, definition: ExperimentDefinition, seat: Seat): Carried {
  const { variables, roundValues } = seat
  const condition = hasConditionsOfStudy(definition, room) ? conditionIn(room, seat) : null
  return {
    variables,
    ...(roundValues && { roundValues }),
    ...(condition !== null && { condition }),
  }
}

/** Whether conditions are those of participants in all stages: whoever comes to a later one has theirs. */
export function hasConditionsOfStudy(
  { stages = [], conditions }: ExperimentDefinition,
  { stage }: Pick<RoomState, 'stage'>,
): boolean {
  const played = stages.find(({ id }) => id === stage) ?? stages[0]
  return played !== undefined && conditions !== undefined && played.conditions === undefined
}
