import { type ComponentView, componentTypeOf, responseSchemaOf } from '@atrium/contract'
import { happens, type Random, wholeBetween } from '../random.ts'
import { drawFromSchema } from './draw-from-schema.ts'

/**
 * A response that fits the component, as a participant sees it; undefined where nothing is asked. Drawn from the
 * schema of its responses, and where that leaves nonsense possible, as a person would.
 */
export function answerFor(component: ComponentView, random: Random): unknown {
  const known = withAnyKey(component)
  const schema = responseSchemaOf(known)
  if (!schema || !componentTypeOf(component.type).asks(known)) return undefined
  const drawn = drawFromSchema(schema, random)
  // Own entries only: a type may be called `constructor`.
  const sense = Object.hasOwn(sensible, component.type) ? sensible[component.type] : undefined
  return sense ? sense(drawn, component, random) : drawn
}

/**
 * The settings of a comprehension check are only recognised with the key of each question, which participants never
 * receive. The schema of the answers does not depend on it: any key will do.
 */
function withAnyKey(component: ComponentView): ComponentView {
  if (component.type !== 'instructions' || !Array.isArray(component.questions)) return component
  return { ...component, questions: component.questions.map((question) => ({ ...question, correct: 0 })) }
}

type Sense = (drawn: unknown, component: ComponentView, random: Random) => unknown

const numberIn = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise

/** Media of unknown length are short to a bot. */
export const usualMediaMs = 3_000
export const mediaMsOf = ({ durationMs }: Record<string, unknown>): number =>
  numberIn(durationMs, usualMediaMs)

const ended: Sense = (_drawn, component) => ({ ended: true, positionMs: mediaMsOf(component) })

const sensible: Record<string, Sense> = {
  consent: (_drawn, { minReadMs }) => ({
    agreed: true,
    readMs: numberIn(minReadMs, 0),
    scrolledToEnd: true,
  }),
  video: ended,
  audio: ended,
  slider: (_drawn, component, random) => drawOnScale(component, random),
  // Mostly one of the options that are offered.
  multiple_choice: (drawn, component, random) =>
    isOther(drawn) && happens(0.8, random) ? answerFor({ ...component, allowOther: false }, random) : drawn,
  // The samples of a stream come in the order of time.
  continuous_rating: (drawn, { sampleMs }) =>
    (drawn as { t: number; value: number }[]).map(({ value }, index) => ({
      t: index * numberIn(sampleMs, 250),
      value,
    })),
}

const isOther = (drawn: unknown): boolean => typeof drawn === 'object' && drawn !== null && 'other' in drawn

/** Where the handle of a slider can stand; the schema knows the step only when it is counted from zero. */
function drawOnScale({ min, max, step }: Record<string, unknown>, random: Random): number {
  const [low, high, distance] = [numberIn(min, 0), numberIn(max, 100), numberIn(step, 1)]
  const stop = low + distance * wholeBetween(0, Math.floor((high - low) / distance + 1e-9), random)
  // 0.1 + 0.2 is not quite 0.3.
  return Math.min(high, Number(stop.toFixed(10)))
}
