import type { UnanswerableReason } from '@atrium/contract'
import type { Alike } from './asked-about.ts'
import type { ComponentBlueprint } from './component-blueprint.ts'
import { entryOf, type Seat } from './room-state.ts'
import { createShownTo, type Shown } from './shown.ts'
import type { StateBlueprint } from './state-blueprint.ts'
import type { Turn } from './turn.ts'
import { seesComponent } from './visible-components.ts'

/** A stream is never final, so one sample counts as an answer. */
export const isAnswered = (seat: Seat, { component, type }: ComponentBlueprint): boolean => {
  const answer = entryOf(seat.here.answers, component.id)
  return answer !== undefined && (answer.isFinal || type.responds === 'many')
}

/** RM244: they have said that they cannot, and have not answered since. */
export const whyUnanswerable = (
  { here }: Seat,
  { component }: ComponentBlueprint,
): UnanswerableReason | undefined => entryOf(here.unanswerable ?? {}, component.id)

/** The first component that this participant still has to answer. */
export function missingAnswer(
  { room, blueprint, work }: Pick<Turn, 'room' | 'blueprint' | 'work'>,
  seat: Seat,
  { components }: StateBlueprint,
  alike?: Alike,
): ComponentBlueprint | undefined {
  let shown: Shown | undefined
  return components.find((one) => {
    if (!one.isRequired || isAnswered(seat, one) || !seesComponent(seat, one)) return false
    if (whyUnanswerable(seat, one) !== undefined) return false
    shown ??= createShownTo(room, blueprint, seat, work, alike)
    return shown.has(one)
  })
}
