import { codelessOutcomes, type ExperimentDefinition, type ValidationIssue } from '@atrium/contract'

/** X70: people from Prolific who end with such an outcome have no way back. */
export function codelessWarnings(definition: ExperimentDefinition): ValidationIssue[] {
  if (definition.recruiting?.prolific === undefined) return []
  const missing = codelessOutcomes(definition)
  if (missing.length === 0) return []
  const message = `people from Prolific can end with ${missing.join(', ')} and get no code: give each one under \`codes\`, or say under \`noCode\` of \`completion\` why it has none`
  return [{ path: definition.completion ? '/completion' : '/recruiting/prolific', message }]
}
