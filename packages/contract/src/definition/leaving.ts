import { assertNever } from '../assert-never.ts'
import type { ExperimentDefinition } from './definition.ts'
import { success } from './outcomes.ts'
import { idAtSite, mturkSubmission, siteOf } from './recruiting-site.ts'
import { fillRedirect } from './redirect.ts'

/** Somebody whose participation has ended, or who comes too late for one. */
export interface Finisher {
  outcome: string
  participantId: string
  /** The parameters of the link that they came with. */
  metadata: Record<string, unknown>
}

/** What a finisher is given. */
export interface CodeAndRedirect {
  outcome: string
  /** The outcome itself if it has no code. */
  completionCode: string
  /** Empty if nothing leads back. */
  redirectUrl: string
}

/**
 * R20: the code of an outcome, and the way back to the site that recruited the person. Whatever ends a participation gets
 * both here.
 */
export function completionFor(definition: ExperimentDefinition, finisher: Finisher): CodeAndRedirect {
  const { outcome, metadata } = finisher
  const code = codeFor(definition, outcome, metadata)
  return {
    outcome,
    completionCode: code ?? outcome,
    redirectUrl: redirectFor(definition, finisher, code),
  }
}

/** Outcomes of people who come too late to join. */
const lateOutcomes = { full: 'QUOTA_FULL', status: 'STUDY_CLOSED' } as const

/** What people who come too late are given; undefined if the definition has no code for them. */
export function lateCompletionFor(
  definition: ExperimentDefinition,
  reason: keyof typeof lateOutcomes,
  metadata: Record<string, unknown>,
): CodeAndRedirect | undefined {
  const outcome = lateOutcomes[reason]
  return codeFor(definition, outcome, metadata) === undefined
    ? undefined
    : completionFor(definition, { outcome, participantId: '', metadata })
}

/** The code that people from Prolific get, whichever study they come from or from this one. */
export const prolificCodeOf = (
  definition: ExperimentDefinition,
  outcome: string,
  studyId?: string,
): string | undefined => codeFor(definition, outcome, { source: 'prolific', STUDY_ID: studyId })

/** At Prolific the code of the study, then that of all studies; then, as for everyone else, that of every site. */
function codeFor(
  { recruiting, completion }: ExperimentDefinition,
  outcome: string,
  metadata: Record<string, unknown>,
): string | undefined {
  const { codes, studies } = (siteOf(metadata) === 'prolific' && recruiting?.prolific) || {}
  const { STUDY_ID: studyId } = metadata
  const study = typeof studyId === 'string' ? own(studies, studyId) : undefined
  return own(study?.codes, outcome) ?? own(codes, outcome) ?? own(completion?.codes, outcome)
}

const own = <Value>(values: Record<string, Value> | undefined, name: string): Value | undefined =>
  values && Object.hasOwn(values, name) ? values[name] : undefined

function redirectFor(definition: ExperimentDefinition, finisher: Finisher, code: string | undefined): string {
  const { outcome, participantId, metadata } = finisher
  const { recruiting, completion } = definition
  const site = siteOf(metadata)
  if (site === undefined || recruiting?.[site] === undefined)
    return fillRedirect(completion?.redirectUrl, { code: code ?? outcome, participantId, metadata })
  switch (site) {
    case 'prolific':
      return code === undefined ? '' : prolificReturn(code)
    case 'sona':
      return sonaReturn(definition, finisher)
    case 'mturk': {
      const { submitFor = [success] } = recruiting.mturk ?? {}
      return (submitFor.includes(outcome) && mturkSubmission(metadata, code ?? outcome)) || ''
    }
    default:
      return assertNever(site)
  }
}

const prolificReturn = (code: string): string =>
  `https://app.prolific.com/submissions/complete?cc=${encodeURIComponent(code)}`

function sonaReturn({ recruiting }: ExperimentDefinition, { outcome, metadata }: Finisher): string {
  const { sona } = recruiting ?? {}
  const id = idAtSite('sona', metadata)
  if (!sona || id === undefined || !(sona.creditFor ?? [success]).includes(outcome)) return ''
  const query = new URLSearchParams({
    experiment_id: sona.experimentId,
    credit_token: sona.creditToken,
    survey_code: id.toWellFormed(),
  })
  return `https://${sona.school}.sona-systems.com/webstudy_credit.aspx?${query}`
}
