import { assertNever } from '@atrium/contract'
import { answersRead } from '@atrium/expressions'
import type { Alike } from '../model/asked-about.ts'
import type { ComponentBlueprint } from '../model/component-blueprint.ts'
import { isAnswered, missingAnswer, whyUnanswerable } from '../model/missing-answer.ts'
import type { FlowState, Seat } from '../model/room-state.ts'
import { createShownTo } from '../model/shown.ts'
import type { StateBlueprint } from '../model/state-blueprint.ts'
import type { Turn } from '../model/turn.ts'
import { componentsOfState } from '../model/visible-components.ts'

/** Whether this participant can contribute to ending the state. */
export function mayEnd(
  turn: Turn,
  seat: Seat,
  flow: FlowState,
  blueprint: StateBlueprint,
  alike: Alike,
): boolean {
  const { end } = blueprint.state
  switch (end?.on) {
    case 'any_responded': {
      const answerable = componentsOfState(seat, blueprint).filter(({ type }) => type.responds !== 'none')
      if (answerable.length === 0 || hasClock(flow)) return answerable.length > 0
      const shown = createShownTo(turn.room, turn.blueprint, seat, turn.work, alike)
      return answerable.some((one) => shown.has(one) && whyUnanswerable(seat, one) === undefined)
    }
    case 'media_ended': {
      const media = componentsOfState(seat, blueprint).find(
        ({ component }) => component.id === end.componentId,
      )
      if (!media || media.when === null || hasClock(flow)) return media !== undefined
      return mayBeShown(turn, seat, blueprint, media)
    }
    case undefined:
    case 'button':
    case 'timed':
    case 'all_responded':
    case 'condition':
      return true
    default:
      return assertNever(end)
  }
}

/** Where the clock ends the state, it waits for the clock, whatever is shown: there may be something to read. */
const hasClock = ({ deadlineAt }: FlowState): boolean => deadlineAt !== null

/** RM194: it is shown, or an answer that this participant still owes, or that its condition reads, may bring it. */
function mayBeShown(turn: Turn, seat: Seat, blueprint: StateBlueprint, media: ComponentBlueprint): boolean {
  const shown = createShownTo(turn.room, turn.blueprint, seat, turn.work)
  if (shown.has(media) || missingAnswer(turn, seat, blueprint)) return true
  const read = new Set<ComponentBlueprint>([media])
  for (const { when } of read)
    for (const id of when ? answersRead(when.root) : []) {
      const deciding = blueprint.components.find(({ component }) => component.id === id)
      if (deciding) read.add(deciding)
    }
  return [...read].some((one) => one !== media && shown.has(one) && !isAnswered(seat, one))
}
