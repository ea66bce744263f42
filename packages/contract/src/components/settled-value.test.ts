import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { componentTypes } from './catalogue.ts'
import { liveSettingsOf, withLiveValues, withoutLiveValues } from './live-settings.ts'
import { recordedSchemaOf } from './recorded-schema.ts'

/** Every setting of every type in turn, as if it came from a value. */
const places = Object.values(componentTypes).flatMap(({ type, settings, example }) =>
  Object.keys(settings.properties).flatMap((name) => {
    const component = { id: 'c', type, ...example.settings, [name]: { from: 'x' } }
    return liveSettingsOf(component).length > 0 ? [{ type, name, component }] : []
  }),
)

describe('[F58] settings from values', () => {
  test('can be in most types', () => {
    expect(places.length).toBeGreaterThan(80)
  })

  test('fit the type whatever the value is', () => {
    const value = fc.oneof(
      fc.double({ noNaN: true }),
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 300 }),
      fc.array(
        fc.dictionary(fc.constantFrom('value', 'label', 'image', 'when', 'correct', 'id'), fc.string()),
      ),
      fc.dictionary(fc.constantFrom('from', 'value', 'text', '__proto__'), fc.string()),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        value,
        fc.boolean(),
        ({ type, component }, found, isOfStudy) => {
          const settled = withLiveValues(component, () => ({ value: found, isOfStudy }))
          const errors = Value.Errors(componentTypes[type]?.settings ?? {}, settled)
          expect(errors.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual([])
          expect(JSON.stringify(settled)).not.toMatch(/"from":|\{\{|javascript:/)
        },
      ),
      { numRuns: 500 },
    )
  })

  test('are not there before their values are known', () => {
    for (const { component } of places) expect(liveSettingsOf(withoutLiveValues(component))).toEqual([])
  })

  test('leave of what can be answered what holds for every value', () => {
    const recorded = (component: object) => ({ ...recordedSchemaOf({ id: 'c', ...component }) })
    expect(recorded({ type: 'slider', max: '{{x}}' })).toMatchObject({ type: 'number', minimum: 0 })
    expect(recorded({ type: 'slider', max: '{{x}}' })).not.toHaveProperty('maximum')
    expect(recorded({ type: 'multiple_choice', options: { from: 'x' } })).not.toHaveProperty('enum')
    const check = { type: 'attention_check', options: ['a', 'b'], correct: { from: 'x' } }
    expect(recorded(check)).toMatchObject({ properties: { answer: { enum: ['a', 'b'] } } })
  })
})
