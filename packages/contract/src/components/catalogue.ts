import { type TSchema, Type } from 'typebox'
import { multipleChoice } from './choice.ts'
import {
  type ComponentType,
  declareType,
  type Evaluation,
  type ResponseContext,
  type Settings,
} from './component-type.ts'
import { instructions } from './comprehension.ts'
import { consent } from './consent.ts'
import { chat } from './conversation.ts'
import { customHtml } from './custom.ts'
import { countdown, image, payoff, progress, text, timer } from './display.ts'
import { audio, video } from './media.ts'
import { continuousRating, sparseRating } from './ratings.ts'
import { likert, slider } from './scales.ts'
import { matrix, ranking } from './survey.ts'
import { textInput } from './text-input.ts'

/** In the order of the reference. A new type is one declaration, one line here, and one view in the web app. */
const declared: readonly ComponentType[] = [
  text,
  image,
  video,
  audio,
  multipleChoice,
  textInput,
  slider,
  likert,
  ranking,
  matrix,
  continuousRating,
  sparseRating,
  chat,
  instructions,
  consent,
  countdown,
  payoff,
  customHtml,
  timer,
  progress,
]

export const componentTypes: Readonly<Record<string, ComponentType>> = Object.fromEntries(
  declared.map((each) => [each.type, each]),
)

export const isKnownType = (type: string): boolean => Object.hasOwn(componentTypes, type)

/** A type that the catalogue does not have is shown by whoever brought it; its responses are kept as they are. */
const opaque = (type: string): ComponentType =>
  declareType({
    type,
    title: 'Unknown type',
    description: 'A type that the platform does not know.',
    place: 'both',
    settings: Type.Object({}),
    responds: 'many',
    requiredByDefault: false,
    records: 'Each response as it was sent.',
    secret: [],
    example: { settings: {} },
  })

export const componentTypeOf = (type: string): ComponentType =>
  (isKnownType(type) ? componentTypes[type] : undefined) ?? opaque(type)

const typeOf = (component: Settings): ComponentType =>
  componentTypeOf(typeof component.type === 'string' ? component.type : '')

export function responseSchemaOf(component: Settings): TSchema | undefined {
  const type = typeOf(component)
  return type.responds === 'none' ? undefined : type.response(component)
}

/** Whether the state waits for a response: as the component says, else as its type does. */
export function isRequired(component: Settings): boolean {
  const type = typeOf(component)
  if (type.responds === 'none') return false
  if (typeof component.required === 'boolean') return component.required
  return type.requiredByDefault && type.asks(component)
}

/** What becomes of a response. The value is expected to fit `responseSchemaOf` already. */
export function evaluateResponse(component: Settings, value: unknown, context: ResponseContext): Evaluation {
  const type = typeOf(component)
  if (type.responds === 'none') return { kind: 'refused', message: 'This component takes no response.' }
  return type.evaluate?.(component, value, context) ?? { kind: 'accepted', isFinal: type.responds === 'once' }
}
