import type { ComponentBlueprint } from './component-blueprint.ts'
import { entryOf, type Seat } from './room-state.ts'
import type { StateBlueprint } from './state-blueprint.ts'
import { seesComponent } from './visible-components.ts'

/** A stream is never final, so one sample counts as an answer. */
export const isAnswered = (seat: Seat, { component, type }: ComponentBlueprint): boolean => {
  const answer = entryOf(seat.here.answers, component.id)
  return answer !== undefined && (answer.isFinal || type.responds === 'many')
}

/** The first component that this participant still has to answer. */
export const missingAnswer = (seat: Seat, { components }: StateBlueprint): ComponentBlueprint | undefined =>
  components.find((one) => one.isRequired && seesComponent(seat, one) && !isAnswered(seat, one))
