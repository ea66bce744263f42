import type { RoomMoment } from '@atrium/contract'
import { texts } from '../../text/console.ts'

/** What happened, as a sentence. */
export const sentenceOf = ({ kind, alias, componentId, detail }: RoomMoment): string =>
  texts().replay.moment(kind, { who: alias ?? '', component: componentId ?? '', detail })

/** Where the room was: “Contribute · round 2 of 5”. */
export function placeOf({ state, ended, number }: RoomMoment): string {
  const text = texts().replay
  if (state) return text.place(state.name ?? state.id, state.round, state.rounds)
  if (ended) return text.ended
  return number <= 1 ? text.before : text.over
}
