import { assertNever } from '../assert-never.ts'
import { completionCodeOf, type ExperimentDefinition } from './definition.ts'
import { success } from './outcomes.ts'
import { idAtSite, mturkSubmission, siteOf } from './recruiting-site.ts'
import { fillRedirect } from './redirect.ts'

export interface Leaver {
  outcome: string
  participantId: string
  /** The parameters of the link that they came with. */
  metadata: Record<string, unknown>
}

/** What somebody is given at the end. */
export interface Leaving {
  completionCode: string
  /** Empty if nothing leads back. */
  redirectUrl: string
}

/** R20: the code of an outcome, and the way back to the site that recruited the person. */
export function leavingOf(definition: ExperimentDefinition, leaver: Leaver): Leaving {
  const { outcome, participantId, metadata } = leaver
  const { recruiting, completion } = definition
  const completionCode = completionCodeOf(definition, outcome)
  const site = siteOf(metadata)
  if (site === undefined || recruiting?.[site] === undefined) {
    const facts = { code: completionCode, participantId, metadata }
    return { completionCode, redirectUrl: fillRedirect(completion?.redirectUrl, facts) }
  }
  switch (site) {
    case 'prolific': {
      const code = prolificCodeOf(definition, outcome, metadata.STUDY_ID)
      return code === undefined
        ? { completionCode, redirectUrl: '' }
        : { completionCode: code, redirectUrl: prolificReturn(code) }
    }
    case 'sona':
      return { completionCode, redirectUrl: sonaReturn(definition, leaver) }
    case 'mturk': {
      const { submitFor = [success] } = recruiting.mturk ?? {}
      const submission = submitFor.includes(outcome) ? mturkSubmission(metadata, completionCode) : undefined
      return { completionCode, redirectUrl: submission ?? '' }
    }
    default:
      return assertNever(site)
  }
}

const prolificReturn = (code: string): string =>
  `https://app.prolific.com/submissions/complete?cc=${encodeURIComponent(code)}`

function sonaReturn({ recruiting }: ExperimentDefinition, { outcome, metadata }: Leaver): string {
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

/** The code at Prolific: that of the study, then that of all studies, then that of every site. */
export function prolificCodeOf(
  { recruiting, completion }: ExperimentDefinition,
  outcome: string,
  studyId?: unknown,
): string | undefined {
  const { codes, studies } = recruiting?.prolific ?? {}
  const study = typeof studyId === 'string' ? own(studies, studyId) : undefined
  return own(study?.codes, outcome) ?? own(codes, outcome) ?? own(completion?.codes, outcome)
}

const own = <Value>(values: Record<string, Value> | undefined, name: string): Value | undefined =>
  values && Object.hasOwn(values, name) ? values[name] : undefined

/** Outcomes of people who come too late to join. */
const lateOutcomes = { full: 'QUOTA_FULL', status: 'STUDY_CLOSED' } as const

/** What people who come too late are given; undefined if the definition has no code for them. */
export function lateLeavingOf(
  definition: ExperimentDefinition,
  reason: keyof typeof lateOutcomes,
  metadata: Record<string, unknown>,
): (Leaving & { outcome: string }) | undefined {
  const outcome = lateOutcomes[reason]
  const isFromProlific = siteOf(metadata) === 'prolific' && definition.recruiting?.prolific !== undefined
  const hasCode = isFromProlific
    ? prolificCodeOf(definition, outcome, metadata.STUDY_ID) !== undefined
    : own(definition.completion?.codes, outcome) !== undefined
  return hasCode ? { outcome, ...leavingOf(definition, { outcome, participantId: '', metadata }) } : undefined
}
