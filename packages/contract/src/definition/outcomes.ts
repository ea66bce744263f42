import { isRequired } from '../components/catalogue.ts'
import { nearestName } from '../components/nearest.ts'
import type { ValidationIssue } from '../errors.ts'
import type { ExperimentDefinition } from './definition.ts'
import { elseOf } from './matching.ts'

/** The platform's outcomes. An experiment may add its own (R57). */
export const outcomeNames = [
  'SUCCESS',
  'TIMEOUT',
  'SCREENED_OUT',
  'NO_CONSENT',
  'NOT_MATCHED',
  'PARTNER_LEFT',
  'ABANDONED',
  'TECHNICAL',
  // Of people who come too late: they have not joined.
  'QUOTA_FULL',
  'STUDY_CLOSED',
] as const

/** The outcome of participants who reach the end of the flow. */
export const success = 'SUCCESS'

/** R92: why somebody did not complete. */
export const dropReasons = [
  'declined',
  'withdrawn',
  'not_matched',
  'screened_out',
  'disconnected',
  'left',
  'removed',
  'partner_left',
  'timed_out',
  'quota_full',
  'ended',
] as const
export type DropReason = (typeof dropReasons)[number]

const reasonsByOutcome: Readonly<Record<string, DropReason>> = {
  TIMEOUT: 'timed_out',
  SCREENED_OUT: 'screened_out',
  NO_CONSENT: 'declined',
  NOT_MATCHED: 'not_matched',
  PARTNER_LEFT: 'partner_left',
  ABANDONED: 'disconnected',
  TECHNICAL: 'ended',
  QUOTA_FULL: 'quota_full',
  STUDY_CLOSED: 'ended',
}

/** The outcomes of people who did not complete. */
export const outcomesOfDropouts: readonly string[] = Object.keys(reasonsByOutcome)

/** Why, as far as the outcome tells. Null for SUCCESS and for a definition's own outcomes: they are planned ends. */
export const dropReasonOf = (outcome: string): DropReason | null =>
  Object.hasOwn(reasonsByOutcome, outcome) ? (reasonsByOutcome[outcome] ?? null) : null

/** R52: the room decides the outcome if it waits for anything that participants do, or if the flow names outcomes. */
export const verificationOf = (definition: ExperimentDefinition): 'room' | 'none' =>
  definition.completion?.verify ??
  (definition.stages ||
  definition.matching ||
  definition.conditions?.quotas ||
  definition.states.some(awaitsComponents) ||
  outcomesIn(definition).length > 0
    ? 'room'
    : 'none')

const awaitingEnds: readonly string[] = ['media_ended', 'any_responded', 'condition']

function awaitsComponents({ components, end }: ExperimentDefinition['states'][number]): boolean {
  return awaitingEnds.includes(end?.on ?? '') || components.some((component) => isRequired(component))
}

/**
 * R52: whether an outcome named by a client would pass for one that only the room can give, by its name or by the code
 * it maps to: SUCCESS, or one of the flow's own outcomes. Clients may name the platform's other outcomes at any time,
 * unless those have the code for SUCCESS. Recruiting sites may ignore case, spaces and hyphens, so this does too.
 */
export function claimsEarnedOutcome(definition: ExperimentDefinition, named: string): boolean {
  const namesOf = (outcome: string): string[] => [outcome, ...codesOf(definition, outcome)].map(foldedName)
  const earned = isPlatformOutcome(named) ? [success] : [success, ...ownOutcomesIn(definition)]
  const given = namesOf(named)
  return earned.flatMap(namesOf).some((one) => given.includes(one))
}

/** Every code that an outcome has, at any recruiting site: itself where it has none. */
export function codesOf(definition: ExperimentDefinition, outcome: string): string[] {
  const codes = codeTables(definition).flatMap((table) =>
    Object.hasOwn(table.codes, outcome) ? (table.codes[outcome] ?? []) : [],
  )
  return Object.hasOwn(definition.completion?.codes ?? {}, outcome) ? codes : [outcome, ...codes]
}

/** Where a definition has codes by outcome. */
function codeTables({ completion, recruiting }: ExperimentDefinition) {
  const { codes = {}, studies = {} } = recruiting?.prolific ?? {}
  return [
    { path: '/completion/codes', codes: completion?.codes ?? {} },
    { path: '/recruiting/prolific/codes', codes },
    ...Object.entries(studies).map(([id, study]) => ({
      path: `/recruiting/prolific/studies/${id}/codes`,
      codes: study.codes,
    })),
  ]
}

const isPlatformOutcome = (name: string): boolean => outcomeNames.some((known) => known === name)

function foldedName(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase()
  return plain.replaceAll(/[^\p{L}\p{N}]/gu, '') || plain
}

const returningOutcomes: readonly string[] = ['NO_CONSENT', 'SCREENED_OUT', 'NOT_MATCHED']

/** R56: the capacity counts participants who are taking part or have completed. */
export const releasesSlot = (outcome: string, isFirstStateOver: boolean): boolean =>
  returningOutcomes.includes(outcome) || (outcome !== success && !isFirstStateOver)

/** Outcomes that the definition names itself (R57). */
export const outcomesIn = ({
  states,
  blocks = [],
  timeLimit,
  matching,
  stages = [],
}: ExperimentDefinition): string[] => [
  ...[{ matching }, ...stages].flatMap((stage) => elseOf(stage.matching)?.outcome ?? []),
  ...states.flatMap(({ next = [], end }) => [
    ...next.flatMap(({ outcome }) => outcome ?? []),
    ...(end?.onTimeout?.outcome === undefined ? [] : [end.onTimeout.outcome]),
  ]),
  ...[...blocks, { timeLimit }].flatMap(({ timeLimit: limit }) => limit?.onTimeout?.outcome ?? []),
]

/** Outcomes that only this definition has: whoever ends with one has taken part as the researcher planned. */
export const ownOutcomesIn = (definition: ExperimentDefinition): string[] =>
  outcomesIn(definition).filter((name) => !isPlatformOutcome(name))

/** R58: a code for an outcome that nothing leads to is probably misspelt. Clients may still name it. */
export function unknownOutcomes(definition: ExperimentDefinition): ValidationIssue[] {
  const known = knownOutcomes(definition)
  const named = [
    ...codeTables(definition),
    { path: '/completion/noCode', codes: definition.completion?.noCode ?? {} },
  ]
  return named.flatMap(({ path, codes }) =>
    Object.keys(codes).flatMap((name) =>
      known.has(name)
        ? []
        : [
            {
              path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
              message: unknownOutcome(name, known),
            },
          ],
    ),
  )
}

export const knownOutcomes = (definition: ExperimentDefinition): ReadonlySet<string> =>
  new Set([...outcomeNames, ...outcomesIn(definition)])

export function unknownOutcome(name: string, known: ReadonlySet<string>): string {
  const near = nearestName(name, known)
  const hint = near === undefined ? '' : `; did you mean ‘${near}’?`
  return `unknown outcome ‘${name}’: it is neither a platform outcome nor one that a state ends with${hint}`
}
