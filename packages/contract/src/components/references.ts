import { type ExperimentDefinition, variableOf } from '../definition/definition.ts'
import { componentTypeOf, isKnownType } from './catalogue.ts'
import { error, type Finding, type Settings, warning } from './component-type.ts'

/** A component with its path in the definition and the components that are shown together with it. */
export interface Placed {
  component: Settings
  path: string
  isGlobal: boolean
  besides: readonly Settings[]
}

export function placedComponents(definition: ExperimentDefinition): Placed[] {
  const { states, globalComponents = [] } = definition
  return [
    ...states.flatMap((state, at) =>
      state.components.map((component, index) => ({
        component,
        path: `/states/${at}/components/${index}`,
        isGlobal: false,
        besides: [...state.components, ...globalComponents],
      })),
    ),
    ...globalComponents.map((component, index) => ({
      component,
      path: `/globalComponents/${index}`,
      isGlobal: true,
      besides: [
        ...globalComponents,
        ...states
          .filter((state) => component.states?.includes(state.id) ?? true)
          .flatMap((state) => state.components),
      ],
    })),
  ]
}

/** An unknown type may be media too. */
const mayBeMedia = ({ type }: Settings) =>
  typeof type === 'string' && (componentTypeOf(type).isMedia || !isKnownType(type))

/** Checks what a component refers to elsewhere in the definition. */
export function referenceFindings(
  { component, besides }: Placed,
  definition: ExperimentDefinition,
): Finding[] {
  return [...mediaFindings(component, besides), ...variableFindings(component, definition)]
}

function mediaFindings({ type, mediaId }: Settings, besides: readonly Settings[]): Finding[] {
  if (typeof type !== 'string' || !isKnownType(type) || typeof mediaId !== 'string') return []
  const isThere = besides.some((other) => other.id === mediaId && mayBeMedia(other))
  return isThere
    ? []
    : [error('/mediaId', `video or audio ‘${mediaId}’ is not shown together with this component`)]
}

/** The variable that a component shows: the one named by its setting, or else the one with its id. */
function shownVariable(component: Settings): { name: string; setting: string; isNamed: boolean } | undefined {
  const setting = componentTypeOf(String(component.type)).variableSetting
  if (setting === null) return undefined
  const named = component[setting]
  const isNamed = typeof named === 'string'
  return { name: isNamed ? named : String(component.id), setting, isNamed }
}

function variableFindings(component: Settings, { variables = {} }: ExperimentDefinition): Finding[] {
  const shown = shownVariable(component)
  if (!shown) return []
  const { name, setting, isNamed } = shown
  if (!Object.hasOwn(variables, name))
    return isNamed
      ? [error(`/${setting}`, `variable ‘${name}’ does not exist`)]
      : [warning('', `variable ‘${name}’ does not exist; choose one with the setting ‘${setting}’`)]
  return variableOf(variables[name]).secret
    ? [error(isNamed ? `/${setting}` : '', `variable ‘${name}’ is secret, so participants cannot see it`)]
    : []
}

/** R54: the variables that are recorded as payoffs when a participant finishes. */
export function payoffVariablesOf(definition: ExperimentDefinition): string[] {
  const { completion, states, globalComponents = [], variables = {} } = definition
  if (completion?.payoff !== undefined) return [completion.payoff]
  const components = [...states.flatMap((state) => state.components), ...globalComponents]
  const shown = components.flatMap((component) => shownVariable(component)?.name ?? [])
  return [...new Set(shown)].filter((name) => Object.hasOwn(variables, name))
}

/** A state that ends with a video or audio must contain it. */
export const endFindings = ({ states, globalComponents = [] }: ExperimentDefinition): Finding[] =>
  states.flatMap(({ end, components }, at) => {
    if (end?.on !== 'media_ended') return []
    const isThere = [...components, ...globalComponents].some(
      (each) => each.id === end.componentId && mayBeMedia(each),
    )
    return isThere
      ? []
      : [
          error(
            `/states/${at}/end/componentId`,
            `video or audio ‘${end.componentId}’ does not exist in this state`,
          ),
        ]
  })
