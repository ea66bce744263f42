import { everyoneComesToAnEnd, oneCompletion, whoFinishesSucceeds } from './endings.ts'
import type { Evidence, Invariant } from './evidence.ts'
import { everyoneHasTheirSeat, groupsWithinLimits, nobodyInTwoRooms } from './groups.ts'
import { paidWhatWasEarned } from './payments.ts'
import { membersAgreeOnTheWay, nothingSkipped } from './same-path.ts'
import { acknowledgedIsStored, numberedWithoutHoles, storedWasDone } from './stored-actions.ts'

export const invariants: readonly Invariant[] = [
  everyoneComesToAnEnd,
  acknowledgedIsStored,
  storedWasDone,
  numberedWithoutHoles,
  nobodyInTwoRooms,
  everyoneHasTheirSeat,
  groupsWithinLimits,
  oneCompletion,
  whoFinishesSucceeds,
  paidWhatWasEarned,
  membersAgreeOnTheWay,
  nothingSkipped,
]

export interface Finding {
  invariant: string
  breaches: string[]
}

/** Every invariant with what breaks it; empty lists when all is well. */
export const checkInvariants = (evidence: Evidence): Finding[] =>
  invariants.map(({ name, breaches }) => ({ invariant: name, breaches: breaches(evidence) }))
