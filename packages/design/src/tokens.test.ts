import { readFileSync } from 'node:fs'
import { accentGrounds, contrastOf } from '@atrium/contract'
import { expect, test } from 'vitest'
import { readColours } from './read-tokens.ts'

const css = readFileSync(new URL('../tokens.css', import.meta.url), 'utf8')
const colours = readColours(css)

const colour = (name: string, scheme: 'light' | 'dark'): string => {
  const token = colours.get(name)
  if (!token) throw new Error(`tokens.css has no colour ${name}`)
  return token[scheme]
}

/** What participants read, on every ground that it stands on: AAA. */
const read = [
  ...['ink', 'quiet-ink', 'accent', 'bad', 'good', 'warn'].flatMap((text) =>
    ['paper', 'surface'].map((ground) => [text, ground] as const),
  ),
  ...['ink', 'quiet-ink', 'accent'].map((text) => [text, 'accent-wash'] as const),
  ['on-accent', 'accent'] as const,
  ...['good', 'bad', 'warn'].flatMap((name) => [
    [name, `${name}-wash`] as const,
    ['ink', `${name}-wash`] as const,
  ]),
]
/** The edges of what can be pressed or filled in: AA for graphics. */
const seen = [
  ['strong-line', 'paper'],
  ['strong-line', 'surface'],
  ['accent', 'line'],
] as const

test.each(['light', 'dark'] as const)('in %s colours, everything that participants read is AAA', (scheme) => {
  const poor = read.flatMap(([text, ground]) => {
    const contrast = contrastOf(colour(text, scheme), colour(ground, scheme))
    return contrast >= 7 ? [] : [`${text} on ${ground}: ${contrast.toFixed(2)}`]
  })
  expect(poor).toEqual([])
})

test.each(['light', 'dark'] as const)('in %s colours, edges and bars can be seen', (scheme) => {
  const poor = seen.flatMap(([one, other]) => {
    const contrast = contrastOf(colour(one, scheme), colour(other, scheme))
    return contrast >= 3 ? [] : [`${one} on ${other}: ${contrast.toFixed(2)}`]
  })
  expect(poor).toEqual([])
})

test('every colour that a ground or a text needs is one of those compared here', () => {
  const compared = new Set<string>([...read, ...seen, ['sun']].flat())
  expect([...colours.keys()].filter((name) => !compared.has(name))).toEqual([])
})

test('the accent of a study is adapted to the grounds that the pages really have', () => {
  for (const scheme of ['light', 'dark'] as const)
    expect(accentGrounds[scheme].grounds).toEqual([colour('surface', scheme), colour('paper', scheme)])
})

test('sizes and distances are on their scales', () => {
  const sizes = [...css.matchAll(/--text[\w-]*:\s*([\d.]+)rem/g)].map(([, rem]) => Number(rem) * 16)
  expect(sizes).toEqual([14, 16, 18, 22, 28, 36])
  const gaps = [...css.matchAll(/--gap[\w-]*:\s*([\d.]+)rem/g)].map(([, rem]) => Number(rem) * 16)
  expect(gaps.filter((px) => px % 4 !== 0)).toEqual([])
  expect(gaps.length).toBeGreaterThan(3)
})
