import { componentTypeOf } from '../components/catalogue.ts'
import { type ExperimentDefinition, groupSizeOf } from './definition.ts'
import { prolificCodeOf } from './leaving.ts'
import { outcomesIn, success } from './outcomes.ts'

/** The outcomes that people can end with. Anybody can leave, be removed, or find the study closed. */
function reachableOutcomes(definition: ExperimentDefinition): string[] {
  const { consent, matching, capacity, states, globalComponents = [] } = definition
  const components = [...states.flatMap((state) => state.components), ...globalComponents]
  const asksForConsent =
    consent !== undefined || components.some(({ type }) => componentTypeOf(type).asksForConsent)
  const isScreened =
    matching?.filters !== undefined || components.some((component) => Object(component).onFail === 'end')
  const isGroup = groupSizeOf(definition).max > 1
  return [
    ...new Set([
      success,
      ...outcomesIn(definition),
      ...(asksForConsent ? ['NO_CONSENT'] : []),
      ...(isScreened ? ['SCREENED_OUT'] : []),
      ...(isGroup ? ['NOT_MATCHED', 'PARTNER_LEFT'] : []),
      'ABANDONED',
      'TECHNICAL',
      ...(capacity !== undefined ? ['QUOTA_FULL'] : []),
      'STUDY_CLOSED',
    ]),
  ]
}

/** Those for which somebody from a site that asks for a code gets none, and nobody has said why. */
export function codelessOutcomes(definition: ExperimentDefinition): string[] {
  const { completion, recruiting } = definition
  const { codes = {}, noCode = {} } = completion ?? {}
  // A code for every study that has codes of its own: whoever comes from one of them needs it.
  const studies = Object.keys(recruiting?.prolific?.studies ?? {})
  const hasCode = (outcome: string): boolean =>
    Object.hasOwn(codes, outcome) ||
    prolificCodeOf(definition, outcome) !== undefined ||
    (studies.length > 0 && studies.every((id) => prolificCodeOf(definition, outcome, id) !== undefined))
  return reachableOutcomes(definition).filter(
    (outcome) => !hasCode(outcome) && !Object.hasOwn(noCode, outcome),
  )
}
