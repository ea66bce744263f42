import type { ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { codesOf, knownOutcomes, prolificCodeOf, success, unknownOutcome } from '@atrium/contract'

/** What a schema cannot say about recruiting: codes that are missing or give a payment away, outcomes that nothing leads to. */
export function checkRecruiting(definition: ExperimentDefinition): ValidationIssue[] {
  return [
    ...missingProlificCodes(definition),
    ...publicCodes(definition),
    ...unknownNames(definition, '/recruiting/sona/creditFor', definition.recruiting?.sona?.creditFor),
    ...unknownNames(definition, '/recruiting/mturk/submitFor', definition.recruiting?.mturk?.submitFor),
  ]
}

function missingProlificCodes(definition: ExperimentDefinition): ValidationIssue[] {
  const { prolific } = definition.recruiting ?? {}
  if (!prolific) return []
  const path = '/recruiting/prolific'
  const message = `needs a code for ${success}, here or in completion.codes: without one, Prolific does not learn who has completed the study`
  if (prolificCodeOf(definition, success) !== undefined) return []
  const studies = Object.keys(prolific.studies ?? {})
  if (studies.length === 0) return [{ path: `${path}/codes`, message }]
  return studies.flatMap((id) =>
    prolificCodeOf(definition, success, id) === undefined
      ? [{ path: `${path}/studies/${id}/codes`, message }]
      : [],
  )
}

/** Anybody who comes too late is given these codes. */
function publicCodes(definition: ExperimentDefinition): ValidationIssue[] {
  const earned = new Set(codesOf(definition, success))
  return ['QUOTA_FULL', 'STUDY_CLOSED'].flatMap((outcome) =>
    codesOf(definition, outcome).some((code) => earned.has(code))
      ? [
          {
            path: definition.recruiting?.prolific ? '/recruiting/prolific/codes' : '/completion/codes',
            message: `${outcome} must not have the code for ${success}: people who have not taken part are given it`,
          },
        ]
      : [],
  )
}

function unknownNames(
  definition: ExperimentDefinition,
  path: string,
  names: readonly string[] = [],
): ValidationIssue[] {
  const known = knownOutcomes(definition)
  return names.flatMap((name, index) =>
    known.has(name) ? [] : [{ path: `${path}/${index}`, message: unknownOutcome(name, known) }],
  )
}
