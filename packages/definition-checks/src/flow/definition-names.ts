import {
  type Component,
  type ExperimentDefinition,
  groupSizeOf,
  type Variable,
  variableOf,
} from '@atrium/contract'
import {
  componentTypeOf,
  createSuggestions,
  recordedSchemaOf,
  type Suggest,
} from '@atrium/contract/components'
import type { SchemaNode } from '@atrium/contract/reference'
import type { Names, ResponseForms, Sources } from '@atrium/expressions'
import { hasOwnConditions } from '@atrium/flow'
import { sourcesOf } from './sources.ts'
import { type TrialSources, trialSourcesOf } from './trial-sources.ts'

/** Everything the definition declares, collected once for all checks. */
export interface DeclaredNames {
  variables: ReadonlyMap<string, Variable>
  roomVariables: ReadonlySet<string>
  participantVariables: ReadonlySet<string>
  components: ReadonlySet<string>
  /** What responses to a component look like; undefined where they can be anything. */
  responseForms: ResponseForms
  /** Ids of components that take no responses. */
  silent: ReadonlySet<string>
  /** What is read with a dot: `self.given`. */
  sources: Sources
  /** What `trial.x` reads, by where it stands. */
  trials: TrialSources
  /** Several people share a room, so ‘my response’ has no meaning for the room as a whole. */
  isGroup: boolean
  /** F67: people in a group have conditions of their own. */
  hasOwnConditions: boolean
  /** Several people move together, so a transition applies to all of them. */
  movesTogether: boolean
  /** Shared by all checks, so that the number of suggestions per definition is limited. */
  suggest: Suggest
}

export function declaredNamesOf(definition: ExperimentDefinition): DeclaredNames {
  const variables = new Map(
    Object.entries(definition.variables ?? {}).map(([name, declared]) => [name, variableOf(declared)]),
  )
  const namesIn = (scope: 'room' | 'participant') =>
    new Set(
      [...variables].filter(([, variable]) => (variable.scope ?? 'room') === scope).map(([name]) => name),
    )
  const components = [
    ...definition.states.flatMap((state) => state.components),
    ...(definition.globalComponents ?? []),
  ]
  const participantVariables = namesIn('participant')
  const isGroup = groupSizeOf(definition).max > 1
  const trials = trialSourcesOf(definition)
  return {
    variables,
    roomVariables: namesIn('room'),
    participantVariables,
    components: new Set(components.map(({ id }) => id)),
    responseForms: responseFormsOf(components),
    silent: silentAmong(components),
    sources: sourcesOf(definition, variables, participantVariables, trials.anywhere),
    trials,
    isGroup,
    hasOwnConditions: hasOwnConditions(definition),
    movesTogether: isGroup && definition.pacing !== 'participant',
    suggest: createSuggestions(),
  }
}

export const namesFor = (declared: DeclaredNames, isRoomWide: boolean): Names => ({
  roomVariables: declared.roomVariables,
  participantVariables: declared.participantVariables,
  components: declared.components,
  responseForms: declared.responseForms,
  silent: declared.silent,
  hasOwnConditions: declared.hasOwnConditions,
  sources: declared.sources,
  forEach: isRoomWide ? 'room' : 'participant',
  suggest: declared.suggest,
})

/** The sources of an expression in a state. A variable that is called `trial` comes first, as it always has. */
export const sourcesIn = (
  declared: DeclaredNames,
  stateId: string | undefined,
  trial = declared.trials.inState(stateId),
): Sources =>
  declared.variables.has('trial') ? declared.sources : new Map([...declared.sources, ['trial', trial]])

/** The same id may stand in several states. Found when an expression asks, because few do. */
function responseFormsOf(components: readonly Component[]): ResponseForms {
  const byId = Map.groupBy(components, ({ id }) => id)
  return (componentId) =>
    byId.get(componentId)?.map((component): SchemaNode => ({ ...recordedSchemaOf(component) }))
}

function silentAmong(components: readonly Component[]): ReadonlySet<string> {
  const answered = new Set(
    components.flatMap(({ id, type }) => (componentTypeOf(type).responds === 'none' ? [] : [id])),
  )
  return new Set(components.flatMap(({ id }) => (answered.has(id) ? [] : [id])))
}
