import { seededRandom } from '@atrium/contract'
import { componentTypes, publicComponent, responseSchemaOf } from '@atrium/contract/components'
import { componentOf, isValid, settingsByType } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { drawAnswer } from './draw-answer.ts'
import { drawFromSchema } from './draw-from-schema.ts'

const seed = Number(process.env.TEST_SEED ?? 20_260_101)

describe('every type of the catalogue', () => {
  test('with settings here is in the catalogue', () => {
    expect(Object.keys(settingsByType).filter((type) => !Object.hasOwn(componentTypes, type))).toEqual([])
  })

  test.each(Object.values(componentTypes))('$type: whatever the settings, the answer fits', (declared) => {
    const { type, settings: schema, example } = declared
    // A type that has none above: any that its schema allows, or at least its example.
    const drawnFromSchema = fc
      .string()
      .map((settingsSeed) => drawFromSchema(schema, seededRandom(settingsSeed)))
      .map((some) => ({ ...example.settings, ...(some as object) }))
    fc.assert(
      fc.property(settingsByType[type] ?? drawnFromSchema, fc.string(), (some, drawSeed) => {
        const component = componentOf(type, some)
        fc.pre(isValid(component))
        const answer = drawAnswer(publicComponent(component), seededRandom(drawSeed))
        const schema = responseSchemaOf(component)
        const isAsked = declared.asks(component)
        expect(answer !== undefined).toBe(isAsked)
        if (isAsked && schema)
          expect({
            answer,
            fits: Value.Check(schema, answer),
            refusal: declared.refusal(component, answer),
          }).toMatchObject({ fits: true, refusal: undefined })
      }),
      { seed, numRuns: 200 },
    )
  })
})

test('an unknown type is answered with something, whatever it is called', () => {
  for (const type of ['eye_tracker', 'constructor', '__proto__'])
    expect(drawAnswer({ id: 'c', type }, seededRandom('x'))).toEqual({ drawn: expect.any(Number) })
})

test('the same seed gives the same answers, another seed different ones', () => {
  const rank = (seedText: string) =>
    drawAnswer({ id: 'c', type: 'ranking', items: [1, 2, 3, 4, 5, 6, 7, 8] }, seededRandom(seedText))
  expect(rank('a')).toEqual(rank('a'))
  expect(rank('a')).not.toEqual(rank('b'))
})
