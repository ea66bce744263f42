import { expect, test } from 'vitest'
import { lineOf, pagesOfLines, rowOf } from './lines.ts'
import { createRowDigest } from './row-digest.ts'

const chunked = async function* (text: string, size: number) {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const pagesIn = async (text: string, size: number) => {
  const pages: string[][] = []
  for await (const page of pagesOfLines(chunked(text, size))) pages.push(page)
  return pages
}
const linesIn = async (text: string, size: number) => (await pagesIn(text, size)).flat()

test('lines are the same however their bytes arrive, and pages stay small', async () => {
  const lines = Array.from({ length: 1_200 }, (_, index) => `{"text":"ümlaut ${index}"}`)
  const text = lines.map((line) => `${line}\n`).join('')
  for (const size of [1, 7, 65_536]) expect(await linesIn(text, size)).toEqual(lines)
  const pages = await pagesIn(text, 65_536)
  expect(Math.max(...pages.map(({ length }) => length))).toBeLessThanOrEqual(500)
  await expect(linesIn(text.slice(0, -1), 100)).rejects.toThrow('the last line has no end')
})

test('a line is a row only with exactly the columns of its table', () => {
  expect(rowOf('{"a":1,"b":null}', ['a', 'b'])).toEqual({ a: 1, b: null })
  for (const line of ['{"b":1,"a":1}', '{"a":1}', '{"a":1,"b":2,"c":3}', '{"a":{},"b":1}', '[1,2]', '1', '{'])
    expect(() => rowOf(line, ['a', 'b']), line).toThrow('a line is not')
})

test('a digest finds lost, doubled and changed rows, in whichever order they are read', () => {
  const digestOf = (...rows: { id: number; text: string }[]) => {
    const digest = createRowDigest()
    for (const row of rows) digest.add(lineOf(row))
    return digest.result().digest
  }
  const [one, two] = [
    { id: 1, text: 'a' },
    { id: 2, text: 'b' },
  ]
  expect(digestOf(one, two)).toBe(digestOf(two, one))
  const others = [digestOf(one), digestOf(one, two, two), digestOf(one, { ...two, text: 'c' }), digestOf()]
  expect(new Set([digestOf(one, two), ...others]).size).toBe(5)
})
