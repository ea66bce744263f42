import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { scope } from '../expressions/test/example-scope.ts'
import type { Value } from '../expressions/value.ts'
import { boundedWork } from '../expressions/work.ts'
import { fillTemplate } from './fill-template.ts'
import { parseTemplate } from './template.ts'
import { createValueFormats } from './value-format.ts'

function filled(text: string, values: Record<string, Value>, language = 'en', isMarkdown = false): string {
  const parsed = parseTemplate(text)
  if (!parsed.ok) throw new Error(parsed.message)
  const here = { ...scope, variable: (name: string) => values[name] }
  const options = { formats: createValueFormats(language), isMarkdown }
  return fillTemplate(parsed.template, here, boundedWork(), options)
}

describe('values in texts', () => {
  test.each([
    ['The pot is {{pot}}.', { pot: 1234.5 }, 'en', 'The pot is 1,234.5.'],
    ['Im Topf: {{pot}}.', { pot: 1234.5 }, 'de', 'Im Topf: 1.234,5.'],
    ['{{pot | 0.00}}', { pot: 2 }, 'en', '2.00'],
    ['{{pot | 0}}', { pot: 2.6 }, 'en', '3'],
    ['{{share | 0%}}', { share: 0.256 }, 'en', '26%'],
    ['{{pot | EUR}}', { pot: 4.5 }, 'en', '€4.50'],
    ['{{pot | EUR}}', { pot: 4.5 }, 'de', '4,50\u00a0€'],
    ['{{pot * 2 + 1}}', { pot: 4 }, 'en', '9'],
    ['{{pot > 3 ? "much" : "little"}}', { pot: 4 }, 'en', 'much'],
    ['{{others.given}}', { others: { given: [12, 0, 20] } }, 'en', '12, 0, and 20'],
    ['{{others.given}}', { others: { given: [12, 0, 20] } }, 'de', '12, 0 und 20'],
    ['{{self.x}}', { self: { x: 'a' } }, 'en', 'a'],
    ['{{missing}}', {}, 'en', '–'],
    ['{{list}}', { list: [] }, 'en', '–'],
    ['{{object}}', { object: { a: 1 } }, 'en', '–'],
    ["{{'{{'}}", {}, 'en', '{{'],
    ['{{a || b}}', { a: 0, b: 7 }, 'en', '7'],
    ['{{pot}}', { pot: 12 }, 'ar', '12'],
  ])('%s with %j in %s is “%s”', (text, values, language, expected) => {
    expect(filled(text, values, language)).toBe(expected)
  })

  test.each([
    [1, 'en', '1 point'],
    [2, 'en', '2 points'],
    [0, 'en', '0 points'],
  ])('%d in %s takes its plural form: %s', (count, language, expected) => {
    expect(filled('{{n}} {{n | one: "point", other: "points"}}', { n: count }, language)).toBe(expected)
    expect(filled('{{n | one: "# point", other: "# points"}}', { n: count }, language)).toBe(expected)
  })

  it('knows the six forms of Arabic', () => {
    const text = '{{n | zero: "z", one: "o", two: "t", few: "f", many: "m", other: "x"}}'
    expect([0, 1, 2, 3, 11, 100].map((n) => filled(text, { n }, 'ar')).join('')).toBe('zotfmx')
  })

  test.each([
    ['{{pot', 'never closed'],
    ['{{}}', 'empty'],
    ['{{pot | 0,00}}', 'unknown format'],
    ['{{pot | one: "point"}}', 'needs the form'],
    ['{{pot | 0.0000000}}', 'unknown format'],
    ['{{a b}}', 'syntax error'],
    ['{{a}}'.repeat(51), 'more than 50'],
  ])('%s is refused: %s', (text, message) => {
    const parsed = parseTemplate(text)
    expect(parsed.ok ? 'parsed' : parsed.message).toContain(message)
  })

  it('cuts a long value, so that a text stays bounded', () => {
    expect(filled('{{a}}', { a: 'x'.repeat(90_000) }).length).toBe(1_001)
    expect(filled('{{a}}', { a: Array.from({ length: 9_000 }, () => 'xxxxxxxxxx') }).length).toBe(1_001)
  })

  it('[property] any text parses or is refused with a message, and never takes long', () => {
    const pieces = fc.constantFrom('{{', '}}', '|', "'", '"', '\\', 'pot', ' ', '0.0', 'one: "a"', '{', '}')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 200 }), (parts) => {
        const parsed = parseTemplate(parts.join(''))
        expect(parsed.ok || parsed.message.length > 0).toBe(true)
      }),
    )
    expect(parseTemplate("{{'".repeat(30_000)).ok).toBe(false)
  })
})
