import {
  type ExperimentDefinition,
  type NewProlificStudy,
  outcomeNames,
  outcomesIn,
  prolificCodeOf,
  success,
} from '@atrium/contract'
import type { ProlificDraft } from './prolific-api.ts'

/** People with these outcomes have not taken part; Prolific asks them to give their place back. */
const returning: Record<string, string> = {
  NO_CONSENT: 'You did not agree to take part.',
  SCREENED_OUT: 'You are not eligible for this study.',
  NOT_MATCHED: 'There were not enough participants at the same time.',
  QUOTA_FULL: 'All places were taken.',
  STUDY_CLOSED: 'The study was closed.',
}

/** RC6: a draft with the link and the codes of the experiment. Nobody is paid without a look. */
export function draftStudy(
  definition: ExperimentDefinition,
  study: NewProlificStudy,
  joinUrl: string,
): ProlificDraft {
  const outcomes = new Set([...outcomeNames, ...outcomesIn(definition)])
  const codes = new Map<string, ProlificDraft['completion_codes'][number]>()
  // SUCCESS first: outcomes that share its code share its action.
  for (const outcome of outcomes) {
    const code = prolificCodeOf(definition, outcome)
    if (code !== undefined && !codes.has(code)) codes.set(code, codeFor(code, outcome))
  }
  return {
    name: study.name,
    description: study.description,
    external_study_url: `${joinUrl}?PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}`,
    prolific_id_option: 'url_parameters',
    completion_codes: [...codes.values()],
    total_available_places: study.places,
    estimated_completion_time: study.minutes,
    reward: study.reward,
  }
}

function codeFor(code: string, outcome: string): ProlificDraft['completion_codes'][number] {
  const reason = returning[outcome]
  const code_type = outcome === success ? 'COMPLETED' : outcome === 'NO_CONSENT' ? 'NO_CONSENT' : 'OTHER'
  return {
    code,
    code_type,
    actions:
      reason === undefined
        ? [{ action: 'MANUALLY_REVIEW' }]
        : [{ action: 'REQUEST_RETURN', return_reason: reason }],
  }
}
