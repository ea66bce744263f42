import { expect, it } from 'vitest'
import { schemaFault } from './schema-fault.ts'

const inProperty = (schema: unknown) => ({ type: 'object', properties: { deep: { items: schema } } })

it.each([
  [inProperty({ pattern: '(' }), '#/properties/deep/items has the pattern “(”'],
  [inProperty({ patternProperties: { '[': {} } }), 'has the pattern “[”'],
  [inProperty({ anyOf: [{ $ref: '#/$defs/none' }] }), 'refers to “#/$defs/none”, which is not there'],
  [inProperty({ $ref: 'none' }), 'refers to “none”, which is not there'],
  [inProperty({ $ref: '#/%' }), 'which is not there'],
  [inProperty({ $ref: '#/other' }), 'which is not there'],
  [{ ...inProperty({ $ref: '#/other' }), other: { pattern: '(' } }, '#/other has the pattern'],
  [inProperty({ anyOf: [null] }), '#/properties/deep/items/anyOf/0 is not a schema'],
  [inProperty({ $ref: '#/properties/deep/items' }), 'in a circle'],
  [
    { ...inProperty({ $ref: '#/$defs/a' }), $defs: { a: { allOf: [{ not: { $ref: '#/$defs/a' } }] } } },
    'in a circle',
  ],
])('[AG5] finds the fault in %j', (schema, words) => {
  expect(schemaFault(schema)).toContain(words)
})

it('[AG5] finds none in schemas that can be checked, with references and values that end', () => {
  const tree = {
    type: 'object',
    properties: {
      'a/b': { type: 'string', pattern: '^\\p{L}+$', enum: ['(', '['] },
      children: { type: 'array', items: { $ref: '#' } },
      same: { $ref: '#/properties/a~1b' },
      ever: true,
    },
    additionalProperties: false,
  }
  expect(schemaFault(tree)).toBeUndefined()
  expect(
    schemaFault({ $defs: { one: { $anchor: 'one' } }, properties: { x: { $ref: '#one' } } }),
  ).toBeUndefined()
})
