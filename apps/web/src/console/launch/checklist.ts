import {
  codelessOutcomes,
  type ExperimentDefinition,
  type PilotSummary,
  prolificCodeOf,
} from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { formsGroups } from '../definition/forms-groups.ts'

/** What a researcher had better look at before people come. */
export interface CheckItem {
  name:
    | 'errors'
    | 'problems'
    | 'draft'
    | 'consent'
    | 'paradata'
    | 'codes'
    | 'everyCode'
    | 'capacity'
    | 'matching'
    | 'played'
    | 'summary'
  /** `open`: somebody should look; it never keeps them from starting. */
  state: 'done' | 'open'
  /** The tab where it can be changed. */
  tab: 'definition' | 'matching' | 'agents' | 'recruiting'
  /** What it is about. */
  names?: readonly string[]
}

export interface LaunchFacts {
  /** What would be launched, with plain texts: the draft if there is one. Undefined while it is no valid definition. */
  definition: ExperimentDefinition | undefined
  revision: number
  /** Warnings of the check. */
  findings: number
  /** Whether there is something that is not published. */
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
  if (definition === undefined) return [item('errors', false), item('draft', false)]
  const { summary, capacity, stages, completion, recruiting, consent, paradata = [] } = definition
  const groups = (stages ?? [definition]).filter((part) => formsGroups(part))
  const isPlayed =
    !hasDraft &&
    pilots.some(
      (pilot) =>
        pilot.revision === revision &&
        pilot.rooms.some(({ status, endReason }) => status === 'ended' && endReason === null),
    )
  const hasCode =
    completion?.codes !== undefined ||
    (recruiting?.prolific !== undefined && prolificCodeOf(definition, 'SUCCESS') !== undefined)
  // R93: only the consent page lists what is measured.
  const isTold = (consent?.text ?? '').trim() !== ''
  const codeless = codelessOutcomes(definition)
  return [
    item('problems', findings === 0),
    item('draft', !hasDraft),
    item('summary', summary !== undefined),
    item('consent', asksForConsent(definition)),
    ...(paradata.length > 0 ? [{ ...item('paradata', isTold), names: paradata }] : []),
    item('codes', hasCode, 'recruiting'),
    ...(hasCode ? [{ ...item('everyCode', codeless.length === 0), names: codeless }] : []),
    item('capacity', capacity !== undefined),
    ...(groups.length > 0
      ? [
          item(
            'matching',
            groups.every(({ matching }) => matching?.deadlineMs !== undefined),
            'matching',
          ),
        ]
      : []),
    item('played', isPlayed, 'agents'),
  ]
}

/** Before anything is answered: on a page of its own, or with a component. */
function asksForConsent({ consent, states }: ExperimentDefinition): boolean {
  if (consent !== undefined) return true
  const first = states.find(({ components }) =>
    components.some(({ type }) => componentTypeOf(type).responds !== 'none'),
  )
  return first?.components.some(({ type }) => componentTypeOf(type).asksForConsent) ?? false
}
