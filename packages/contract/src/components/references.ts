import { type ExperimentDefinition, variableOf } from '../definition/definition.ts'
import { isKnownType } from './catalogue.ts'
import { error, type Finding, type Settings, warning } from './component-type.ts'
import { payoff } from './display.ts'
import { mediaTypes } from './media.ts'

/** A component with its place in the definition and the components that are shown beside it. */
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

/** A type that the catalogue does not know may well play something. */
const mayBeMedia = ({ type }: Settings) =>
  typeof type === 'string' && (mediaTypes.includes(type) || !isKnownType(type))

/** Where a component names something else of the definition. */
export function referenceFindings(
  { component, besides }: Placed,
  definition: ExperimentDefinition,
): Finding[] {
  return [
    ...mediaFindings(component, besides),
    ...(component.type === payoff.type ? variableFindings(component, definition) : []),
  ]
}

function mediaFindings({ type, mediaId }: Settings, besides: readonly Settings[]): Finding[] {
  if (typeof type !== 'string' || !isKnownType(type) || typeof mediaId !== 'string') return []
  const isThere = besides.some((other) => other.id === mediaId && mayBeMedia(other))
  return isThere ? [] : [error('/mediaId', `there is no video or audio called ‘${mediaId}’ beside it`)]
}

function variableFindings({ id, variable }: Settings, { variables = {} }: ExperimentDefinition): Finding[] {
  const isNamed = typeof variable === 'string'
  const name = isNamed ? variable : String(id)
  if (!Object.hasOwn(variables, name))
    return isNamed
      ? [error('/variable', `there is no variable called ‘${name}’`)]
      : [warning('', `there is no variable called ‘${name}’; name one with the setting ‘variable’`)]
  return variableOf(variables[name]).secret
    ? [error(isNamed ? '/variable' : '', `the variable ‘${name}’ is secret, so participants cannot see it`)]
    : []
}

/** A state that waits for the end of a video needs one. */
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
            `there is no video or audio called ‘${end.componentId}’ in this state`,
          ),
        ]
  })
