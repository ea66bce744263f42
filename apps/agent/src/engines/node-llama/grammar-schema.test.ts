import { describe, expect, test } from 'vitest'
import { createObjectWatch } from './evaluate.ts'
import { grammarSchemaOf } from './grammar-schema.ts'

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const property = (schema: unknown): unknown => {
  const { properties } = grammarSchemaOf(object({ p: schema })) as { properties: { p: unknown } }
  return properties.p
}

describe('[AG49] schemas become what the grammar can keep', () => {
  test('small ranges of integers become lists, larger ones are checked afterwards', () => {
    expect(property({ type: 'integer', minimum: 1, maximum: 4 })).toMatchObject({ enum: [1, 2, 3, 4] })
    expect(property({ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 2.5 })).toMatchObject({
      enum: [1, 2],
    })
    expect(property({ type: 'integer', minimum: 0, maximum: 10_000 })).toEqual({
      type: 'integer',
      description: 'at least 0; at most 10000',
    })
  })

  test('texts and lists always have a bound', () => {
    expect(property({ type: 'string' })).toEqual({ type: 'string', minLength: 0, maxLength: 2_000 })
    expect(property({ type: 'string', minLength: 3, maxLength: 1e9 })).toMatchObject({
      minLength: 3,
      maxLength: 2_000,
    })
    expect(property({ type: 'array', items: { type: 'null' } })).toMatchObject({ maxItems: 200 })
    expect(property({ type: 'string', format: 'date' })).toEqual({ type: 'string', format: 'date' })
  })

  test('alternatives, several types, references and merged schemas', () => {
    expect(property({ anyOf: [{ type: 'boolean' }, { const: 'x' }] })).toEqual({
      oneOf: [{ type: 'boolean' }, { const: 'x' }],
    })
    expect(property({ type: ['boolean', 'null'] })).toEqual({
      oneOf: [{ type: 'boolean' }, { type: 'null' }],
    })
    const schema = {
      ...object({
        a: { $ref: '#/$defs/flag' },
        b: { allOf: [{ $ref: '#/$defs/point' }, object({ y: { const: 2 } })] },
      }),
      $defs: { flag: { type: 'boolean' }, point: object({ x: { const: 1 } }) },
    }
    expect(grammarSchemaOf(schema)).toEqual(
      object({ a: { type: 'boolean' }, b: object({ x: { const: 1 }, y: { const: 2 } }) }),
    )
  })

  test('what is unknown, recursive or not an object is something that can be generated', () => {
    const anything = { oneOf: expect.arrayContaining([{ type: 'null' }]) }
    for (const schema of [
      {},
      true,
      { $ref: 'https://example.org' },
      { $ref: '#/nowhere' },
      { const: {} },
      { enum: [[]] },
    ])
      expect(property(schema)).toEqual(anything)
    const endless = { ...object({ next: { $ref: '#' } }) }
    expect(JSON.stringify(grammarSchemaOf(endless)).length).toBeLessThan(10_000)
    for (const root of [undefined, {}, { type: 'string' }])
      expect(grammarSchemaOf(root)).toMatchObject({ type: 'object', additionalProperties: anything })
    expect(grammarSchemaOf({ type: 'object', additionalProperties: false })).toEqual(object({}))
  })

  test('an object is complete at its last brace, wherever others stand', () => {
    const watch = createObjectWatch()
    expect(watch('{"a": "}\\"}')).toEqual({ used: '{"a": "}\\"}', isComplete: false })
    expect(watch('", "b": [{}]')).toEqual({ used: '", "b": [{}]', isComplete: false })
    expect(watch('}\n\n{')).toEqual({ used: '}', isComplete: true })
  })
})
