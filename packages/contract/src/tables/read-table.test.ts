import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTable } from './read-table.ts'

const rowsOf = (text: string) => {
  const read = readTable(text)
  return read.ok ? read.rows : read
}

describe('a table as text', () => {
  test('[F75] numbers are numbers, true and false are themselves, and blank cells are null', () => {
    expect(rowsOf('word,size,odd,id\nred,1.5,TRUE,007\n, -2 ,false,12345678901234567\n')).toEqual([
      { word: 'red', size: 1.5, odd: true, id: '007' },
      { word: null, size: -2, odd: false, id: '12345678901234567' },
    ])
  })

  test('[F75] CSV with commas or semicolons, and what a spreadsheet copies, are the same', () => {
    const rows = [{ a: 'x', b: 1 }]
    for (const text of ['a,b\nx,1', 'a;b\r\nx;1\r\n', 'a\tb\nx\t1\n', '\uFEFFa,b\n\nx,1\n\n'])
      expect(rowsOf(text)).toEqual(rows)
  })

  test('[F75] quoted cells may have delimiters, quotes and line breaks', () => {
    expect(rowsOf('a,b\n"x, ""y""\nz",2')).toEqual([{ a: 'x, "y"\nz', b: 2 }])
  })

  test.each([
    ['', 1, 'is empty'],
    ['a,b', 1, 'no rows'],
    ['a,a\n1,2', 1, 'two columns called ‘a’'],
    ['a,\n1,2', 1, 'column 2 has no name'],
    ['index\n1', 1, 'cannot be called ‘index’'],
    ['my word\n1', 1, 'write ‘my_word’'],
    ['1st\n1', 1, 'write ‘_1st’'],
    ['日本\n1', 1, 'use letters, digits and _'],
    ['a,b\n1,2\n\n3', 4, 'the row has 1 cell, but there are 2 columns'],
    ['a,b\n1,2,3', 2, 'the row has 3 cells'],
    ['a\n"x\ny\n', 2, 'never closed'],
    ['a\n"x\ny"\n1,2', 4, 'the row has 2 cells'],
    [`a\n${'x'.repeat(5_001)}`, 2, 'longer than 5,000 characters'],
    ['a\nx\u0000', 2, 'characters that are no text'],
    [`a\n${'1\n'.repeat(10_001)}`, 10_002, 'at most 10,000 rows'],
  ])('[F75] %j is refused with its line and a sentence', (text, line, message) => {
    expect(readTable(text)).toEqual({ ok: false, line, message: expect.stringContaining(message) })
  })

  test('[F75] whatever cells a table has, it reads them as they were written', () => {
    const cell = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (cells) => {
        const quoted = (text: string) => `"x${text.replaceAll('"', '""')}"`
        const text = ['a,b', ...cells.map((row) => row.map(quoted).join())].join('\n')
        expect(rowsOf(text)).toEqual(cells.map(([a, b]) => ({ a: `x${a}`, b: `x${b}` })))
      }),
    )
  })

  test('[F75] any text at all is read or refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = readTable(text)
        expect(read.ok ? read.rows.length : read.line).toBeGreaterThan(0)
      }),
    )
  })
})
