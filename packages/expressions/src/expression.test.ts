import { describe, expect, it } from 'vitest'
import { parseExpression } from './expression.ts'

const refusalOf = (text: string) => {
  const parsed = parseExpression(text)
  return parsed.ok ? undefined : { message: parsed.message, at: parsed.at }
}

describe('parsing', () => {
  it.each([
    ['1 + ', 4],
    ['a b', 2],
    ['a; b', 1],
    ['a;', 1],
    ['a,', 1],
    ['a, b', 1],
    ['(a, b)', 2],
    ['[1,]', 3],
    ['[,1]', 1],
    ['max(1 2)', 6],
    ['()', 1],
    ['(a', 2],
    ['a)', 1],
    ["'open", 0],
    ['a === b', 2],
    ['a = b', 2],
    ['a ** b', 2],
    ['a ?? b', 2],
    ['a?.b', 1],
    ['a & b', 2],
    ['~a', 0],
    ['+a', 0],
    ['1e999', 0],
    ['1 + this', 4],
    ['a ? b', 5],
    ['x => x', 2],
    ['{}', 0],
    ['`a`', 0],
    ['größe', 2],
    ['response', 0],
    ['a + responses', 4],
    ['response[a]', 0],
    ['a.b(1)', 3],
    ['[a](1)', 3],
    ['', 0],
    ['   ', 0],
  ])('[F1] %s is refused with a message and a position', (text, at) => {
    expect(refusalOf(text)).toEqual({ message: expect.stringMatching(/\S/), at })
  })

  it('[F2] long, deep and large expressions are refused', () => {
    expect(refusalOf('1'.repeat(2001))?.message).toMatch(/2000/)
    expect(refusalOf(`${'('.repeat(60)}a${')'.repeat(60)}`)?.message).toMatch(/deeper than 50/)
    expect(refusalOf(`${'!'.repeat(1999)}a`)?.message).toMatch(/deeper than 50/)
    expect(refusalOf(Array(60).fill('a').join('+'))?.message).toMatch(/deeper than 50/)
    expect(refusalOf(`[${Array(600).fill('a').join()}]`)?.message).toMatch(/more than 500/)
    expect(refusalOf(`[${Array(400).fill('a').join()}]`)).toBeUndefined()
  })
})
