import { type ExperimentDefinition, groupSizeOf, roleIdsOf, variableOf } from '@atrium/contract'
import {
  componentTypeOf,
  error,
  type Finding,
  isKnownType,
  maxMediaInStep,
  playedByServer,
  playingInStepOf,
  type Settings,
  shownVariable,
  warning,
} from '@atrium/contract/components'

/** A component with its path in the definition, and which media are shown together with it. */
export interface Placed {
  component: Settings
  path: string
  isGlobal: boolean
  isShownWith(mediaId: string): boolean
}

/** An unknown type may be media too. */
const mayBeMedia = ({ type }: Settings) =>
  typeof type === 'string' && (componentTypeOf(type).plays !== null || !isKnownType(type))

/**
 * Where videos and audios are shown. Each component may ask; a list for each of them of all that are beside it would grow
 * with the square of their number.
 */
function mediaPlaces({ states, globalComponents = [] }: ExperimentDefinition) {
  const inStates = new Map<string, Set<string>>()
  for (const { id: stateId, components } of states)
    for (const { id } of components.filter(mayBeMedia))
      inStates.set(id, (inStates.get(id) ?? new Set()).add(stateId))
  const everywhere = new Set(globalComponents.filter(mayBeMedia).map(({ id }) => id))
  return {
    isInState: (mediaId: string, stateId: string): boolean =>
      everywhere.has(mediaId) || inStates.get(mediaId)?.has(stateId) === true,
    isInSome: (mediaId: string, stateIds: readonly string[] | undefined): boolean => {
      const shownIn = inStates.get(mediaId)
      const isInThem = stateIds === undefined || stateIds.some((stateId) => shownIn?.has(stateId))
      return everywhere.has(mediaId) || (shownIn !== undefined && isInThem)
    },
  }
}

export function placedComponents(definition: ExperimentDefinition): Placed[] {
  const { states, globalComponents = [] } = definition
  const media = mediaPlaces(definition)
  return [
    ...states.flatMap((state, at) =>
      state.components.map((component, index) => ({
        component,
        path: `/states/${at}/components/${index}`,
        isGlobal: false,
        isShownWith: (mediaId: string) => media.isInState(mediaId, state.id),
      })),
    ),
    ...globalComponents.map((component, index) => ({
      component,
      path: `/globalComponents/${index}`,
      isGlobal: true,
      isShownWith: (mediaId: string) => media.isInSome(mediaId, component.states),
    })),
  ]
}

/** Checks what a component refers to elsewhere in the definition. */
export function referenceFindings(placed: Placed, definition: ExperimentDefinition): Finding[] {
  const { component } = placed
  return [
    ...mediaFindings(placed),
    ...controlFindings(component, definition),
    ...variableFindings(component, definition),
  ]
}

/** Whoever controls playback must exist, and see it. */
function controlFindings(component: Settings, definition: ExperimentDefinition): Finding[] {
  const role = playingInStepOf(component)?.controlledBy ?? playedByServer
  if (role === playedByServer) return []
  if (!roleIdsOf(definition).includes(role))
    return [
      error('/controlledBy', `role ‘${role}’ does not exist; use ‘server’, ‘participant’ or a declared role`),
    ]
  const { roles } = component
  return Array.isArray(roles) && !roles.includes(role)
    ? [error('/controlledBy', `participants with the role ‘${role}’ do not see this component`)]
    : []
}

function mediaFindings({ component: { type, mediaId }, isShownWith }: Placed): Finding[] {
  if (typeof type !== 'string' || !isKnownType(type) || typeof mediaId !== 'string') return []
  // Of a picture or a sound it is the id of an uploaded file.
  if (componentTypeOf(type).mediaFields.some(({ by }) => by === 'id')) return []
  return isShownWith(mediaId)
    ? []
    : [error('/mediaId', `video or audio ‘${mediaId}’ is not shown together with this component`)]
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

/** A state that ends with a video or audio must contain it. */
export function endFindings(definition: ExperimentDefinition): Finding[] {
  const media = mediaPlaces(definition)
  return definition.states.flatMap(({ id, end }, at) => {
    if (end?.on !== 'media_ended') return []
    return media.isInState(end.componentId, id)
      ? []
      : [
          error(
            `/states/${at}/end/componentId`,
            `video or audio ‘${end.componentId}’ does not exist in this state`,
          ),
        ]
  })
}

/** Media that play in step cost the room time after every action. */
export function inStepFindings(definition: ExperimentDefinition): Finding[] {
  const { states, globalComponents = [], pacing = 'room' } = definition
  const isGroup = groupSizeOf(definition).max > 1 && pacing === 'room'
  const isInStep = (component: Settings): boolean => {
    const playing = playingInStepOf(component)
    return playing !== undefined && (isGroup || playing.controlledBy !== null)
  }
  const globals = globalComponents.filter(isInStep)
  const everywhere = globals.filter((each) => each.states === undefined).length
  const shownIn = new Map<string, number>()
  for (const id of globals.flatMap((each) => each.states ?? [])) shownIn.set(id, (shownIn.get(id) ?? 0) + 1)
  return states.flatMap(({ id, components }, at) => {
    const found = components.filter(isInStep).length + everywhere + (shownIn.get(id) ?? 0)
    return found > maxMediaInStep
      ? [
          error(
            `/states/${at}/components`,
            `shows ${found} videos and audios that play in step; the limit is ${maxMediaInStep}. Set controlledBy to ‘participant’ for those that everyone plays alone`,
          ),
        ]
      : []
  })
}
