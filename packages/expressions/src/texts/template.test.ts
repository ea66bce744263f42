import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { scope } from '../test/example-scope.ts'
import type { Value } from '../value.ts'
import { boundedWork } from '../work.ts'
import { fillTemplate, writeInsert } from './fill-template.ts'
import { parseTemplate } from './template.ts'
import { createValueFormats } from './value-format.ts'
import { createValueWriter } from './write-value.ts'

function filled(
  text: string,
  values: Record<string, Value>,
  language = 'en',
  { isMarkdown = false, work = boundedWork() } = {},
): string {
  const parsed = parseTemplate(text)
  if (!parsed.ok) throw new Error(parsed.message)
  const here = { ...scope, variable: (name: string) => values[name] }
  const formats = createValueFormats(language)
  const writing = { work, formats, values: createValueWriter(formats, work) }
  return fillTemplate(parsed.template, (insert) => writeInsert(insert, here, writing, isMarkdown))
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
    const text = '{{n | zero: "ا", one: "ب", two: "ت", few: "ث", many: "ج", other: "ح"}}'
    expect([0, 1, 2, 3, 11, 100].map((n) => filled(text, { n }, 'ar')).join('')).toBe('ابتثجح')
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

  it('keeps what runs in the other direction together', () => {
    expect(filled('{{a}}!', { a: 'abc (d)' }, 'ar')).toBe('\u2068abc (d)\u2069!')
    expect(filled('{{a}}!', { a: 'سلام' }, 'ar')).toBe('سلام!')
    expect(filled('{{a}}!', { a: 'سلام' }, 'de')).toBe('\u2068سلام\u2069!')
    expect(filled('{{a}}!', { a: 'abc' }, 'de')).toBe('abc!')
  })

  it('cuts a long value, so that a text stays bounded', () => {
    expect(filled('{{a}}', { a: 'x'.repeat(90_000) }).length).toBe(1_001)
    expect(filled('{{a}}', { a: Array.from({ length: 9_000 }, () => 'xxxxxxxxxx') }).length).toBe(1_001)
  })

  it('writes only the items of a list that are shown, and charges what it writes', () => {
    const list = Array.from({ length: 9_000 }, (_, index) => index)
    const work = boundedWork(1_000_000)
    const shown = filled('{{a}}', { a: list }, 'en', { work })
    expect(shown.length).toBe(1_001)
    expect(new Intl.ListFormat('en').format(list.map((one) => one.toLocaleString('en')))).toContain(
      shown.slice(0, -1),
    )
    // Reading the list costs a thousand, and each of the numbers that fit costs 26.
    expect(1_000_000 - work.left).toBeLessThan(15_000)
  })

  it('[RM131] shows an ellipsis for each value once the work is spent', () => {
    expect(filled('{{a}} and {{b}}', { a: 1, b: 2 }, 'en', { work: boundedWork(0) })).toBe('… and …')
    const text = Array.from({ length: 50 }, (_, at) => `{{a[${at}] | ${currency(at)}}}`).join()
    const many = Array.from({ length: 50 }, () => 7)
    expect(filled(text, { a: many }, 'en', { work: boundedWork(20_000) })).toMatch(/7\.00.*…,…$/)
  })

  it.each(['en', 'de', 'es', 'he', 'ar', 'zh', 'ja', 'vi', 'hi', 'pt-BR'])(
    '[property] lists in %s are those of Intl',
    (language) => {
      const items = fc.array(fc.constantFrom('1', 'igual', 'hija', 'xyz', 'א', '', ', ', 'y'), {
        maxLength: 9,
      })
      const { list } = createValueFormats(language)
      const intl = new Intl.ListFormat(language)
      fc.assert(
        fc.property(items, (some) => {
          expect(list(some)).toBe(intl.format(some))
        }),
      )
    },
  )

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

const currency = (at: number): string => `A${String.fromCharCode(65 + (at % 26), 65 + Math.floor(at / 26))}`
