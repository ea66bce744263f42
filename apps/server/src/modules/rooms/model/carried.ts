import type { Value } from '@atrium/expressions'
import type { RoundValue, Seat } from './room-state.ts'

/** R68: what somebody takes along from one stage to the next. */
export interface Carried {
  variables: Readonly<Record<string, Value>>
  roundValues?: readonly RoundValue[]
  condition?: string
}

export const carriedBy = ({ variables, roundValues, condition }: Seat): Carried => ({
  variables,
  ...(roundValues && { roundValues }),
  ...(condition !== undefined && { condition }),
})
