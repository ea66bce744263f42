import { checkComponents, componentTypes, publicComponent, responseSchemaOf } from '@atrium/contract'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { createDraws } from '../random.ts'
import { answerFor } from './answer-for.ts'
import { drawFromSchema } from './draw-from-schema.ts'
import { guessCheck } from './guess-check.ts'

const seed = Number(process.env.TEST_SEED ?? 20_260_101)

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
const ms = fc.integer({ min: 0, max: 90_000 })
const media = { src: fc.constant('/a.mp4'), durationMs: optional(ms) }
const lengths = {
  minLength: optional(fc.integer({ min: 0, max: 40 })),
  maxLength: optional(fc.integer({ min: 40, max: 90 })),
}

/** Settings that matter to the answer. What the catalogue calls an error is thrown away below. */
const settings: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
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
    fc.record({ kind: fc.constant('number'), ...range, integer: flag }),
    fc.constant({ kind: 'email' }),
  ),
  slider: fc.record({ ...range, step: optional(fc.constantFrom(0.1, 0.25, 1, 3, 10)) }),
  likert: fc.record({ points: optional(fc.integer({ min: 2, max: 21 })) }),
  ranking: fc.record({ items: options(2) }),
  matrix: fc.record({ rows: options(1), columns: options(1), multiple: flag, allRows: flag }),
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
function componentOf(type: string, drawn: Record<string, unknown>) {
  const plain: Record<string, unknown> = JSON.parse(JSON.stringify(drawn))
  const questions = Array.isArray(plain.questions) ? plain.questions : undefined
  const withKeys = questions?.map((each) => ({ ...each, correct: firstOption(each.options) ?? 'yes' }))
  return { id: 'c', type, ...plain, ...(withKeys && { questions: withKeys }) }
}

function firstOption(given: unknown): unknown {
  const [first]: unknown[] = Array.isArray(given) ? given : []
  return typeof first === 'object' && first !== null && 'value' in first ? first.value : first
}

const isValid = (component: ReturnType<typeof componentOf>): boolean =>
  checkComponents({
    name: 'One component',
    states: [{ id: 's', components: [component] }],
    variables: { earned: 0 },
  }).errors.length === 0

describe('every type of the catalogue', () => {
  test('with settings here is in the catalogue', () => {
    expect(Object.keys(settings).filter((type) => !Object.hasOwn(componentTypes, type))).toEqual([])
  })

  test.each(Object.values(componentTypes))('$type: whatever the settings, the answer fits', (declared) => {
    const { type, settings: schema, example } = declared
    // A type that has none above: any that its schema allows, or at least its example.
    const drawnFromSchema = fc
      .string()
      .map((settingsSeed) => drawFromSchema(schema, createDraws(settingsSeed)('settings')))
      .map((some) => ({ ...example.settings, ...(some as object) }))
    fc.assert(
      fc.property(settings[type] ?? drawnFromSchema, fc.string(), (some, drawSeed) => {
        const component = componentOf(type, some)
        fc.pre(isValid(component))
        const answer = answerFor(publicComponent(component), createDraws(drawSeed)('answer'))
        const schema = responseSchemaOf(component)
        const isAsked = declared.asks(component)
        expect(answer !== undefined).toBe(isAsked)
        if (isAsked && schema)
          expect({ answer, fits: Value.Check(schema, answer) }).toMatchObject({ fits: true })
      }),
      { seed, numRuns: 200 },
    )
  })
})

test('an unknown type is answered with something, whatever it is called', () => {
  for (const type of ['jspsych', 'constructor', '__proto__'])
    expect(answerFor({ id: 'c', type }, createDraws('x')('answer'))).toEqual({ drawn: expect.any(Number) })
})

test('the same seed gives the same answers, another seed different ones', () => {
  const rank = (seedText: string) =>
    answerFor({ id: 'c', type: 'ranking', items: [1, 2, 3, 4, 5, 6, 7, 8] }, createDraws(seedText)('answer'))
  expect(rank('a')).toEqual(rank('a'))
  expect(rank('a')).not.toEqual(rank('b'))
})

test('a check is guessed until it is passed, and no wrong answer is given twice', () => {
  const options = ['a', 'b', 'c', 'd']
  const check = {
    id: 'c',
    type: 'instructions',
    questions: [
      { id: 'one', options },
      { id: 'two', options },
    ],
  }
  for (const name of ['x', 'y', 'z']) {
    const random = createDraws(name)('guess')
    const tries: { answers: Record<string, unknown>; wrong: string[] }[] = []
    while (tries.at(-1)?.wrong.length !== 0) {
      const { answers } = guessCheck(check, tries, random)
      tries.push({ answers, wrong: ['one', 'two'].filter((id) => answers[id] !== 'd') })
      expect(tries.length).toBeLessThanOrEqual(options.length)
    }
    expect(tries.at(-1)?.answers).toEqual({ one: 'd', two: 'd' })
  }
})
