import { type ExperimentDefinition, groupSizeOf, type PilotSummary, prolificCodeOf } from '@atrium/contract'

/** What a researcher had better look at before people come. */
export interface CheckItem {
  name: 'problems' | 'draft' | 'consent' | 'codes' | 'capacity' | 'matching' | 'played' | 'summary'
  /** `open`: somebody should look; it never keeps them from starting. */
  state: 'done' | 'open'
  /** The tab where it can be changed. */
  tab: 'definition' | 'matching' | 'agents' | 'recruiting'
}

export interface LaunchFacts {
  definition: ExperimentDefinition
  revision: number
  /** Errors and warnings of the check. */
  findings: number
  /** Whether there are changes that participants would not get. */
  hasDraft: boolean
  pilots: readonly PilotSummary[]
}

export function launchChecklist({
  definition,
  revision,
  findings,
  hasDraft,
  pilots,
}: LaunchFacts): CheckItem[] {
  const item = (
    name: CheckItem['name'],
    isDone: boolean,
    tab: CheckItem['tab'] = 'definition',
  ): CheckItem => ({
    name,
    state: isDone ? 'done' : 'open',
    tab,
  })
  const { consent, summary, capacity, matching, completion, recruiting } = definition
  const isGroup = groupSizeOf(definition).max > 1
  const isPlayed = pilots.some(
    (pilot) =>
      pilot.revision === revision &&
      pilot.rooms.some(({ status, endReason }) => status === 'ended' && endReason === null),
  )
  const hasCode =
    completion?.codes !== undefined ||
    (recruiting?.prolific !== undefined && prolificCodeOf(definition, 'SUCCESS') !== undefined)
  return [
    item('problems', findings === 0),
    item('draft', !hasDraft),
    item('summary', summary !== undefined),
    item('consent', consent !== undefined),
    item('codes', hasCode, 'recruiting'),
    item('capacity', capacity !== undefined),
    ...(isGroup ? [item('matching', matching?.deadlineMs !== undefined, 'matching')] : []),
    item('played', isPlayed, 'agents'),
  ]
}
