import { componentTypeOf, liveSettingsOf } from '@atrium/contract/components'
import { checkComponents } from '@atrium/definition-checks'
import fc from 'fast-check'

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const flag = optional(fc.boolean())
const bound = fc.integer({ min: -50, max: 50 })
const range = { min: optional(bound), max: optional(fc.integer({ min: 51, max: 500 })) }
const options = (minLength: number) =>
  fc.uniqueArray(
    fc.oneof(
      fc.string({ minLength: 1, maxLength: 9 }),
      fc.integer(),
      fc.record({ value: fc.string({ minLength: 1 }) }),
    ),
    {
      minLength,
      maxLength: 12,
      selector: (option) => String(typeof option === 'object' ? option.value : option),
    },
  )
const regionName = fc.string({ minLength: 1, maxLength: 9 })
/** Of a picture, in percent. */
const half = fc.integer({ min: 1, max: 50 })
const ms = fc.integer({ min: 0, max: 90_000 })
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const media = { src: fc.constant('/a.mp4'), durationMs: optional(ms) }
const lengths = {
  minLength: optional(fc.integer({ min: 0, max: 40 })),
  maxLength: optional(fc.integer({ min: 40, max: 90 })),
}

/** Settings that matter to the answer. What the catalogue calls an error is thrown away below. */
export const settingsByType: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  text: fc.record({}),
  image: fc.record({ src: fc.constant('/a.png') }),
  video: fc.record(media),
  audio: fc.record(media),
  multiple_choice: fc.record({
    options: options(1),
    multiple: flag,
    allowOther: flag,
    minChoices: optional(fc.nat(4)),
    maxChoices: optional(fc.integer({ min: 1, max: 12 })),
  }),
  text_input: fc.oneof(
    fc.record({ kind: fc.constantFrom('short', 'paragraph', undefined), ...lengths }),
    fc.record({
      ...{ kind: fc.constant('number'), ...range, integer: flag },
      step: optional(fc.constantFrom(0.1, 0.25, 1, 3)),
      decimals: optional(fc.nat(3)),
    }),
    fc.constant({ kind: 'email' }),
  ),
  dropdown: fc.record({ options: options(1), shuffle: flag }),
  date: fc.record({ min: optional(day), max: optional(day) }),
  slider: fc.record({ ...range, step: optional(fc.constantFrom(0.1, 0.25, 1, 3, 10)) }),
  likert: fc.record({
    points: optional(fc.integer({ min: 2, max: 21 })),
    min: optional(fc.integer({ min: -100, max: 100 })),
  }),
  ranking: fc.record({ items: options(2) }),
  matrix: fc.record({ rows: options(1), columns: options(1), multiple: flag, allRows: flag }),
  constant_sum: fc.record({
    items: options(2),
    total: optional(fc.integer({ min: 1, max: 1_000 })),
    min: optional(fc.nat(10)),
    max: optional(fc.integer({ min: 1, max: 500 })),
  }),
  best_worst: fc.record({ items: options(2), shuffle: flag }),
  semantic_differential: fc.record({
    rows: fc.uniqueArray(
      fc.record({ value: fc.string({ minLength: 1, maxLength: 9 }), left: fc.string(), right: fc.string() }),
      { minLength: 1, maxLength: 6, selector: ({ value }) => value },
    ),
    points: optional(fc.integer({ min: 2, max: 21 })),
    min: optional(fc.integer({ min: -100, max: 100 })),
    allRows: flag,
  }),
  text_rows: fc.record({
    rows: options(1),
    maxLength: optional(fc.integer({ min: 1, max: 90 })),
    allRows: flag,
  }),
  hot_spot: fc.record({
    src: fc.constant('/a.png'),
    minMarks: optional(fc.integer({ min: 1, max: 5 })),
    maxMarks: optional(fc.integer({ min: 5, max: 20 })),
    regions: optional(
      fc.uniqueArray(
        fc.oneof(
          fc.record({ value: regionName, x: half, y: half, width: half, height: half }),
          fc.record({
            value: regionName,
            points: fc.array(fc.record({ x: half, y: half }), { minLength: 3, maxLength: 6 }),
          }),
        ),
        { minLength: 1, maxLength: 4, selector: ({ value }) => value },
      ),
    ),
  }),
  attention_check: fc.record({ options: optional(options(2)), shuffle: flag }),
  reaction_time: fc.record({
    keys: fc.uniqueArray(fc.constantFrom('f', 'j', 'ArrowLeft', ' '), { minLength: 1 }),
    trials: fc.array(fc.record({ text: fc.string(), correctKey: optional(fc.constantFrom('f', 'j')) }), {
      minLength: 1,
      maxLength: 12,
    }),
    timeoutMs: optional(fc.integer({ min: 50, max: 5_000 })),
  }),
  jspsych: fc.record({
    timeline: fc.array(
      fc.oneof(
        fc.record({
          type: fc.constantFrom('html-keyboard-response', 'html-slider-response'),
          stimulus: fc.string(),
          trial_duration: optional(ms),
        }),
        fc.record({
          timeline: fc.constant([{ type: 'html-button-response', stimulus: 'x', choices: ['yes', 'no'] }]),
          timeline_variables: optional(
            fc.array(fc.record({ a: fc.string() }), { minLength: 1, maxLength: 5 }),
          ),
          repetitions: optional(fc.integer({ min: 1, max: 3 })),
          randomize_order: flag,
        }),
      ),
      { minLength: 1, maxLength: 6 },
    ),
  }),
  continuous_rating: fc.record({ ...range, sampleMs: optional(fc.integer({ min: 20, max: 1_000 })) }),
  sparse_rating: fc.record({ ...range, atMs: optional(fc.uniqueArray(ms, { minLength: 1 })) }),
  chat: fc.record({}),
  instructions: fc.record({
    questions: optional(
      fc.uniqueArray(
        fc.record({
          id: fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/),
          options: optional(options(1)),
          multiple: flag,
        }),
        { maxLength: 4, selector: ({ id }) => id },
      ),
    ),
  }),
  consent: fc.record({ minReadMs: optional(ms), requireScroll: flag }),
  countdown: fc.record({}),
  payoff: fc.record({ variable: fc.constant('earned') }),
  custom_html: fc.record({}),
  timer: fc.record({}),
  progress: fc.record({}),
}

/** As it stands in a definition: absent is absent, and every question of a check has a key. */
export function componentOf(type: string, drawn: Record<string, unknown>) {
  const plain: Record<string, unknown> = JSON.parse(JSON.stringify(drawn))
  const questions = Array.isArray(plain.questions) ? plain.questions : undefined
  const withKeys = questions?.map((each) => ({ ...each, correct: firstOption(each.options) ?? 'yes' }))
  const required: readonly string[] = componentTypeOf(type).settings.required ?? []
  const key = required.includes('correct') && { correct: firstOption(plain.options) ?? 'yes' }
  return { id: 'c', type, ...plain, ...(withKeys && { questions: withKeys }), ...key }
}

function firstOption(given: unknown): unknown {
  const [first]: unknown[] = Array.isArray(given) ? given : []
  return typeof first === 'object' && first !== null && 'value' in first ? first.value : first
}

/** As it is in a room, where settings from values have been found. */
export const isValid = (component: ReturnType<typeof componentOf>): boolean =>
  liveSettingsOf(component).length === 0 &&
  checkComponents({
    name: 'One component',
    states: [{ id: 's', components: [component] }],
    variables: { earned: 0 },
  }).errors.length === 0

/** A component of the type with any settings that the catalogue accepts. */
export const randomComponent = (type: string) =>
  (settingsByType[type] ?? fc.constant({})).map((some) => componentOf(type, some)).filter(isValid)
