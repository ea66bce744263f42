import type { ExperimentDefinition, ValidationIssue } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'

/** X71: people are measured besides their answers, and nothing that they see says so. */
export function untoldParadataWarnings({
  paradata = [],
  consent,
  states,
  globalComponents = [],
}: ExperimentDefinition): ValidationIssue[] {
  if (paradata.length === 0 || consent !== undefined) return []
  const components = [...states.flatMap((state) => state.components), ...globalComponents]
  if (components.some(({ type }) => componentTypeOf(type).asksForConsent)) return []
  const message =
    'people are not told that this is measured: add `consent`, whose page lists it, or a component that asks for consent and says so in its text'
  return [{ path: '/paradata', message }]
}
