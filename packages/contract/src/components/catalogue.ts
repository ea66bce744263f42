import { type TSchema, Type } from 'typebox'
import {
  type ComponentType,
  declareType,
  type Evaluation,
  type ResponseContext,
  type Settings,
} from './component-type.ts'
import { declared } from './declared.ts'
import {
  evaluateEach,
  isForEach,
  refusalOfEach,
  schemaByAlias,
  schemaForAnyone,
  targetsOf,
} from './for-each.ts'
import type { Received } from './received.ts'

type Declared = (typeof declared)[number]

export type ComponentTypeName = Declared['type']

/** The settings of a type as participants receive them, with defaults filled in. */
export type ReceivedSettings<Name extends ComponentTypeName> = Received<
  Extract<Declared, { type: Name }>['settings']
>

export const componentTypes: Readonly<Record<string, ComponentType>> = Object.fromEntries(
  declared.map((each) => [each.type, each]),
)

export const isKnownType = (type: string): boolean => Object.hasOwn(componentTypes, type)

/** Unknown types are shown by custom clients. Their responses are stored unchanged. */
const opaque = (type: string): ComponentType =>
  declareType({
    type,
    title: 'Unknown type',
    description: 'A type that is unknown to the platform.',
    place: 'both',
    settings: Type.Object({}),
    responds: 'many',
    requiredByDefault: false,
    records: 'Each response as sent.',
    example: { settings: {} },
    agentsCannot: 'the platform does not know what its responses look like',
  })

export const componentTypeOf = (type: string): ComponentType =>
  (isKnownType(type) ? componentTypes[type] : undefined) ?? opaque(type)

const typeOf = (component: Settings): ComponentType =>
  componentTypeOf(typeof component.type === 'string' ? component.type : '')

/** The schema of a component's responses; undefined when it takes none. It does not depend on secrets. */
export function responseSchemaOf(component: Settings): TSchema | undefined {
  const type = typeOf(component)
  if (type.responds === 'none') return undefined
  if (!isForEach(component)) return type.response(component)
  const targets = targetsOf(component)
  return targets
    ? schemaByAlias(targets, isRequired(component), type.response.bind(type))
    : schemaForAnyone(type.response(component))
}

/** Whether the state waits for a response: as the component says, or else as its type says. */
export function isRequired(component: Settings): boolean {
  const type = typeOf(component)
  if (type.responds === 'none') return false
  if (typeof component.required === 'boolean') return component.required
  return type.requiredByDefault && type.asks(component)
}

/** Why a response that matches `responseSchemaOf` is refused; undefined if it is not. */
export function refusalOf(component: Settings, value: unknown): string | undefined {
  const targets = targetsOf(component)
  return targets ? refusalOfEach(targets, value, refusalOf) : typeOf(component).refusal(component, value)
}

/** Scores a response that already matches `responseSchemaOf`, and decides whether it is accepted and final. */
export function evaluateResponse(component: Settings, value: unknown, context: ResponseContext): Evaluation {
  const targets = targetsOf(component)
  if (targets) return evaluateEach(targets, value, (one, answer) => evaluateResponse(one, answer, context))
  const type = typeOf(component)
  if (type.responds === 'none')
    return { kind: 'refused', message: 'This component does not accept responses.' }
  const message = type.refusal(component, value)
  if (message !== undefined) return { kind: 'refused', message }
  return type.evaluate?.(component, value, context) ?? { kind: 'accepted', isFinal: type.responds === 'once' }
}
