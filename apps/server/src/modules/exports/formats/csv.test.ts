import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCsvEncoder } from './csv.ts'

const columns = [
  { name: 'someText', type: 'text', description: '' },
  { name: 'count', type: 'whole', description: '' },
  { name: 'free', type: 'json', description: '' },
  { name: 'at', type: 'time', description: '' },
] as const

const nasty = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  "'",
  '"',
  ',',
  '\r',
  '\n',
  '\t',
  '\u2028',
  '\ufeff',
  '🦉',
  'a',
  ' ',
  '0',
)
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(nasty).map((parts) => parts.join('')),
)
const rows = fc.array(
  fc.record({
    someText: fc.option(text),
    count: fc.option(fc.maxSafeInteger()),
    free: fc.option(fc.jsonValue().map((value) => JSON.stringify(value))),
    at: fc.option(fc.integer({ min: 0, max: 4_102_444_800_000 })),
  }),
)

test('[R47,D8] another parser reads every row back, once the apostrophes are undone', () => {
  fc.assert(
    fc.property(rows, fc.nat(), (written, cut) => {
      const encoder = createCsvEncoder(columns)
      const at = written.length === 0 ? 0 : cut % written.length
      const file = [
        encoder.encode(written.slice(0, at), { isFirst: true, isLast: false }),
        encoder.encode(written.slice(at), { isFirst: false, isLast: true }),
      ].join('')
      const [header, ...lines] = parse(file, { cast: (cell, { quoting }) => (quoting ? cell : cell || null) })
      expect(header).toEqual(['some_text', 'count', 'free', 'at'])
      const read = lines.map(([someText, count, free, time]: (string | null)[]) => ({
        someText: someText?.replace(/^'/, '') ?? null,
        count: count === null ? null : Number(count),
        free,
        at: time == null ? null : Date.parse(time),
      }))
      expect(read).toEqual(
        written.map((row) => ({ ...row, someText: row.someText?.replaceAll('\0', '\ufffd') ?? null })),
      )
      for (const [cell] of lines) expect(cell ?? '').not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/)
    }),
    { numRuns: 200 },
  )
})

test('[R47,D8] null is an empty cell, an empty text is in quotes, and negative numbers are left alone', () => {
  const encoder = createCsvEncoder(columns)
  const empty = { someText: '', count: -5, free: '-5', at: 0 }
  expect(encoder.encode([empty, {}], { isFirst: false, isLast: true })).toBe(
    '"",-5,"-5",1970-01-01T00:00:00.000Z\r\n,,,\r\n',
  )
})
