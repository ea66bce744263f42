import type { ExperimentDefinition } from '../definition/definition.ts'
import { componentTypeOf } from './catalogue.ts'
import type { Settings } from './component-type.ts'

/** R54: the variables that are recorded as payoffs when a participant finishes. */
export function payoffVariablesOf(definition: ExperimentDefinition): string[] {
  const { completion, states, globalComponents = [], variables = {} } = definition
  const { payoff, payment } = completion ?? {}
  const bonus = payment?.bonus === undefined ? [] : [payment.bonus]
  if (payoff !== undefined) return [...new Set([payoff, ...bonus])]
  const components = [...states.flatMap((state) => state.components), ...globalComponents]
  const shown = components.flatMap((component) => shownVariable(component)?.name ?? [])
  return [...new Set([...shown, ...bonus])].filter((name) => Object.hasOwn(variables, name))
}

/** The variable that a component shows: the one named by its setting, or else the one with its id. */
export function shownVariable(
  component: Settings,
): { name: string; setting: string; isNamed: boolean } | undefined {
  const setting = componentTypeOf(String(component.type)).variableSetting
  if (setting === null) return undefined
  const named = component[setting]
  const isNamed = typeof named === 'string'
  return { name: isNamed ? named : String(component.id), setting, isNamed }
}
