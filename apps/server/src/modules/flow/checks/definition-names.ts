import {
  createSuggestions,
  type ExperimentDefinition,
  groupSizeOf,
  type Suggest,
  type Variable,
  variableOf,
} from '@atrium/contract'
import type { Names } from '../expressions/check-expression.ts'

/** Everything the definition declares, collected once for all checks. */
export interface DeclaredNames {
  variables: ReadonlyMap<string, Variable>
  roomVariables: ReadonlySet<string>
  participantVariables: ReadonlySet<string>
  components: ReadonlySet<string>
  /** Several people share a room, so ‘my response’ has no meaning for the room as a whole. */
  isGroup: boolean
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
  const isGroup = groupSizeOf(definition).max > 1
  return {
    variables,
    roomVariables: namesIn('room'),
    participantVariables: namesIn('participant'),
    components: new Set(components.map(({ id }) => id)),
    isGroup,
    movesTogether: isGroup && definition.pacing !== 'participant',
    suggest: createSuggestions(),
  }
}

export const namesFor = (declared: DeclaredNames, isRoomWide: boolean): Names => ({
  roomVariables: declared.roomVariables,
  participantVariables: declared.participantVariables,
  components: declared.components,
  forEach: isRoomWide ? 'room' : 'participant',
  suggest: declared.suggest,
})
