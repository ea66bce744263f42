import {
  type ExperimentDefinition,
  isForRole,
  type ParticipantEvent,
  roleIdsOf,
  statesWithRotation,
} from '@atrium/contract'
import { responseSchemaOf } from '@atrium/contract/components'
import { Compile } from 'typebox/compile'
import { Check } from 'typebox/value'

export interface KnownComponents {
  has(componentId: string): boolean
  /**
   * Whether the component takes this value from somebody of this role. If the event does not name the state, any component
   * of that id may be meant.
   */
  takes(event: Pick<ParticipantEvent, 'stateId' | 'componentId' | 'data'>, role: string): boolean
}

interface KnownComponent {
  stateId: string | null
  isFor(role: string): boolean
  takes(value: unknown): boolean
}

/** The components of a revision by id, which is unique only within a state. */
export function knownComponents(definition: ExperimentDefinition): KnownComponents {
  const { states, globalComponents = [] } = definition
  const roles = new Set(roleIdsOf(definition))
  // F85: there, everyone may have had any of them.
  const rotating = statesWithRotation(definition)
  const isForAll = (stateId: string | undefined): boolean =>
    stateId === undefined ? rotating.size > 0 : rotating.has(stateId)
  const placed = [
    ...states.flatMap((state) => state.components.map((component) => ({ state, component }))),
    ...globalComponents.map((component) => ({ state: null, component })),
  ]
  const known = new Map<string, KnownComponent[]>()
  for (const { state, component } of placed) {
    const namesakes = known.get(component.id) ?? []
    namesakes.push({
      stateId: state?.id ?? null,
      // A role that is not declared is that of somebody who has none yet.
      isFor: (role) =>
        !roles.has(role) ||
        isForAll(state?.id) ||
        (isForRole(component, role) && (!state || isForRole(state, role))),
      takes: valuesOf(component),
    })
    known.set(component.id, namesakes)
  }
  return {
    has: (componentId) => known.has(componentId),
    takes({ stateId, componentId, data }, role) {
      const namesakes = known.get(componentId ?? '') ?? []
      const named = namesakes.find((one) => one.stateId === stateId)
      const meant = named ? [named] : namesakes
      return meant.length === 0 || meant.some((one) => one.isFor(role) && one.takes(data?.value))
    },
  }
}

/**
 * A compiled check takes a tenth of the time, but compiling takes as long as ten checks: a batch that names five
 * hundred components for the first time must not block the others.
 */
const checksBeforeCompiling = 10

function valuesOf(component: Parameters<typeof responseSchemaOf>[0]): (value: unknown) => boolean {
  let schema: ReturnType<typeof responseSchemaOf>
  let compiled: { Check(value: unknown): boolean } | undefined
  let checks = 0
  return (value) => {
    if (checks++ === 0) schema = responseSchemaOf(component)
    if (!schema) return false
    if (checks > checksBeforeCompiling) compiled ??= Compile(schema)
    return compiled ? compiled.Check(value) : Check(schema, value)
  }
}
