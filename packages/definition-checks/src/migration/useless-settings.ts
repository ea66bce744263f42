import { type ExperimentDefinition, inLanguage, type ValidationIssue } from '@atrium/contract'
import { componentTypeOf, createSuggestions, isKnownType, withStandIns } from '@atrium/contract/components'
import { placedComponents } from '../components/references.ts'
import { unknownSettings } from '../components/unknown-settings.ts'
import { unknownEndFields } from '../definition/check-definition.ts'

/** F50, F53: settings that a component, and fields that an end, does not have. All of them, however many. */
export function uselessSettings(written: ExperimentDefinition): ValidationIssue[] {
  const suggest = createSuggestions()
  const inComponents = placedComponents(inLanguage(written)).flatMap(({ component, path, isGlobal }) => {
    const name = String(component.type)
    if (!isKnownType(name)) return []
    const type = componentTypeOf(name)
    const found = unknownSettings(type, withStandIns(component), isGlobal, suggest, Number.POSITIVE_INFINITY)
    return found.map(({ path: within, message }) => ({ path: path + within, message }))
  })
  return [...inComponents, ...unknownEndFields(written)]
}
