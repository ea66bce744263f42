import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluate, type Scope } from './evaluate.ts'
import { parseExpression } from './expression.ts'
import { scope, valueOfText } from './test/example-scope.ts'
import type { Value } from './value.ts'

describe('safety', () => {
  const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype', 'valueOf']

  it.each(inherited)('[F5] %s is not reachable', (name) => {
    for (const text of [
      name,
      `nested.${name}`,
      `nested['${name}']`,
      `list.${name}`,
      `text.${name}`,
      `a.${name}`,
      `'abc'.${name}`,
      `[1].${name}`,
      `response.mood.${name}`,
      `${name}(1)`,
      `nested.${name}.${name}`,
      `nested['${name.slice(0, 2)}' + '${name.slice(2)}']`,
    ])
      expect([text, valueOfText(text)]).toEqual([text, null])
    expect(valueOfText('list.length')).toBeNull()
    expect(valueOfText('text.length')).toBeNull()
  })

  it('[F5] an own key with such a name is an ordinary key', () => {
    const value = JSON.parse('{"__proto__": 5, "constructor": 6}') as Value
    expect(valueOfText("[x['__proto__'], x.constructor]", { ...scope, variable: () => value })).toEqual([
      5, 6,
    ])
  })

  const leaf = fc.oneof(
    fc.constantFrom(
      'a',
      'text',
      'list',
      'nested',
      'unknown',
      'round',
      'role',
      'response.mood',
      'null',
      "'s'",
      'true',
    ),
    fc.constantFrom('responses.contribution', '__proto__', 'constructor', '[]', '1e300'),
    fc.integer({ min: 0, max: 99 }).map(String),
  )
  const { text: generated } = fc.letrec<{ text: string }>((tie) => ({
    text: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc
        .tuple(tie('text'), fc.constantFrom(...'+ - * / % == != < <= > >= && ||'.split(' ')), tie('text'))
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      fc.tuple(tie('text'), tie('text'), tie('text')).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      fc.tuple(fc.constantFrom('!', '-'), tie('text')).map(([operator, inner]) => `${operator}(${inner})`),
      fc.tuple(tie('text'), tie('text')).map(([object, key]) => `(${object})[${key}]`),
      fc.tuple(tie('text'), fc.constantFrom('inner', 'length', '__proto__')).map(([o, k]) => `(${o}).${k}`),
      fc.array(tie('text'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
      fc
        .tuple(
          fc.constantFrom(
            ...'min max sum mean median count round floor ceil abs length contains all any at sort unique without'.split(
              ' ',
            ),
          ),
          fc.array(tie('text'), { minLength: 1, maxLength: 3 }),
        )
        .map(([name, given]) => `${name}(${given.join(', ')})`),
    ),
  }))

  /** Values as stored, hence without minus zero, which JSON does not keep. */
  const stored = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Value)
  const anyScope = fc.dictionary(fc.string(), stored).chain((values) =>
    stored.map(
      (any): Scope => ({
        ...scope,
        variable: (name) => (Object.hasOwn(values, name) ? values[name] : any),
        response: () => any,
        responses: () => [any, 1, 'x'],
      }),
    ),
  )

  it('[F4] evaluation is total and deterministic, and returns JSON', () => {
    fc.assert(
      fc.property(generated, fc.oneof(fc.constant(scope), anyScope), (text, within) => {
        const parsed = parseExpression(text)
        if (!parsed.ok) {
          expect(parsed.message).toMatch(/deeper|longer|more than/)
          return
        }
        const value = evaluate(parsed.expression, within)
        expect(JSON.parse(JSON.stringify(value))).toEqual(value)
        expect(evaluate(parsed.expression, within)).toEqual(value)
      }),
      { numRuns: 1000 },
    )
  })

  it('[F1] garbage is refused with a position or evaluated, without an exception', () => {
    const words = fc.constantFrom(
      ...`a 1 .5 'x' " ' ( ) [ ] . , ; ? : ?. + - * / % == != < && || ! ~ = response responses max this { } \\ é`.split(
        ' ',
      ),
    )
    const garbage = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(words, { maxLength: 30 }).map((list) => list.join(' ')),
      fc.array(words, { maxLength: 30 }).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(garbage, (text) => {
        const parsed = parseExpression(text)
        if (parsed.ok) {
          expect(evaluate(parsed.expression, scope)).not.toBeUndefined()
          return
        }
        expect(parsed.message).not.toBe('')
        expect(parsed.at).toBeGreaterThanOrEqual(0)
        expect(parsed.at).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 1500 },
    )
  })

  it('[F4] values nested deeper than the stack cause no errors', () => {
    let deep: Value = []
    for (let index = 0; index < 100_000; index += 1) deep = [deep]
    const within: Scope = { ...scope, variable: () => deep }
    for (const text of ['x', 'x == [x]', 'unique([x, x])', 'contains(x, x)', 'count(x, [])'])
      expect(() => valueOfText(text, within)).not.toThrow()
    expect(valueOfText('x', within)).toBeNull()
  })
})
