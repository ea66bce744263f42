import { type ExperimentDefinition, type ParticipantEvent, responseSchemaOf } from '@atrium/contract'
import { Compile } from 'typebox/compile'
import { Check } from 'typebox/value'

export interface KnownComponents {
  has(componentId: string): boolean
  /** Whether the component's settings allow the value; true if it is unclear which component is meant. */
  takes(event: Pick<ParticipantEvent, 'stateId' | 'componentId' | 'data'>): boolean
}

interface KnownComponent {
  stateId: string | null
  takes(value: unknown): boolean
}

/** The components of a revision by id, which is unique only within a state. */
export function knownComponents({ states, globalComponents = [] }: ExperimentDefinition): KnownComponents {
  const placed = [
    ...states.flatMap(({ id, components }) => components.map((component) => ({ stateId: id, component }))),
    ...globalComponents.map((component) => ({ stateId: null, component })),
  ]
  const known = new Map<string, KnownComponent[]>()
  for (const { stateId, component } of placed) {
    const namesakes = known.get(component.id) ?? []
    namesakes.push({ stateId, takes: valuesOf(component) })
    known.set(component.id, namesakes)
  }
  return {
    has: (componentId) => known.has(componentId),
    takes({ stateId, componentId, data }) {
      const namesakes = known.get(componentId ?? '') ?? []
      const named = namesakes.find((one) => one.stateId === stateId)
      const meant = named ?? (namesakes.length === 1 ? namesakes[0] : undefined)
      return meant?.takes(data?.value) ?? true
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
