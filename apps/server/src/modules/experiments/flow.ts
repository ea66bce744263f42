import {
  type DropReason,
  dropReasonOf,
  type ExperimentFlow,
  type FlowCounts,
  maxFlowConditions,
} from '@atrium/contract'
import type { DeletedPeople, FlowGroup } from './experiments.store.ts'

const nobody = (): FlowCounts => ({
  ...{ arrived: 0, awaitingConsent: 0, consented: 0, declined: 0, waiting: 0, notMatched: 0, assigned: 0 },
  ...{ inProgress: 0, completed: 0, screenedOut: 0, removed: 0, withdrawn: 0, deleted: 0 },
  dropped: { disconnected: 0, left: 0, partnerLeft: 0, timedOut: 0, quotaFull: 0, ended: 0 },
})

/** D27: the same reasons as in the exported table. */
function reasonOf({ outcome, dropReason, status }: FlowGroup): DropReason | null {
  if (dropReason !== null) return dropReason
  if (outcome !== null) return dropReasonOf(outcome)
  if (status === null || status === 'active' || status === 'completed') return null
  return status === 'revoked' ? 'removed' : 'disconnected'
}

const droppedFor = {
  disconnected: 'disconnected',
  left: 'left',
  partner_left: 'partnerLeft',
  timed_out: 'timedOut',
  quota_full: 'quotaFull',
  ended: 'ended',
} as const

const stoppedFor = {
  declined: 'declined',
  withdrawn: 'withdrawn',
  not_matched: 'notMatched',
  screened_out: 'screenedOut',
  removed: 'removed',
} as const

/** Where somebody is who has not stopped. */
function placeOf({ outcome, consent, hasRoom }: FlowGroup, hasMatching: boolean) {
  if (outcome !== null) return 'completed'
  if (consent === 'asked') return 'awaitingConsent'
  return hasMatching && !hasRoom ? 'waiting' : 'inProgress'
}

function add(counts: FlowCounts, group: FlowGroup, hasMatching: boolean): void {
  const { people, hasRoom, consent } = group
  const reason = reasonOf(group)
  counts.arrived += people
  const hasConsented = consent === 'given' || reason === 'withdrawn'
  if (hasConsented) counts.consented += people
  // Whoever takes part alone has a room on joining, and is still asked for consent in it.
  if (hasRoom && (hasConsented || consent === 'none')) counts.assigned += people
  if (reason === null) counts[placeOf(group, hasMatching)] += people
  else if (reason in stoppedFor) counts[stoppedFor[reason as keyof typeof stoppedFor]] += people
  else counts.dropped[droppedFor[reason as keyof typeof droppedFor]] += people
}

/** R92: what became of everyone who came. */
export function flowOf(
  groups: readonly FlowGroup[],
  deleted: readonly DeletedPeople[],
  hasMatching: boolean,
): ExperimentFlow {
  const countsOf = (condition?: string | null): FlowCounts => {
    const isMeant = (one: { condition: string | null }) =>
      condition === undefined || one.condition === condition
    const counts = nobody()
    for (const group of groups.filter(isMeant)) add(counts, group, hasMatching)
    for (const { people } of deleted.filter(isMeant)) {
      counts.arrived += people
      counts.deleted += people
    }
    return counts
  }
  const conditions = new Set([...groups, ...deleted].map(({ condition }) => condition))
  return {
    total: countsOf(),
    conditions: [...conditions]
      .toSorted(
        (one, other) => Number(one === null) - Number(other === null) || (`${one}` < `${other}` ? -1 : 1),
      )
      .slice(0, maxFlowConditions)
      .map((condition) => ({ condition, ...countsOf(condition) })),
  }
}
