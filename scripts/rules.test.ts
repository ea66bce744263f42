import { expect, test } from 'vitest'
import {
  citedInTitles,
  citedInWords,
  commentsIn,
  declaredIn,
  isTest,
  prefixOf,
  proseOf,
  readCitingPages,
  readDeclarations,
  readOtherPages,
  readSources,
  ruleBook,
  type Text,
  withoutComments,
} from './rules.ts'

const declarations = readDeclarations().map(({ path, text }) => ({ path, ids: declaredIn(text) }))
const ofAll = new Set(declarations.find(({ path }) => path === ruleBook)?.ids)
const declared = new Set(declarations.flatMap(({ ids }) => ids))
const prefixes = new Set([...declared].map(prefixOf))
/** Without this file, whose examples are no tests of rules. */
const sources = readSources().filter(({ path }) => path !== 'scripts/rules.test.ts')

const twice = (ids: string[]): string[] => ids.filter((id, at) => ids.indexOf(id) !== at)

test('each rule is declared once; a part may add to a rule of the whole platform, once', () => {
  expect(ofAll.size).toBeGreaterThan(60)
  expect(declarations.flatMap(({ path, ids }) => twice(ids).map((id) => `${id} in ${path}`))).toEqual([])
  const own = declarations.flatMap(({ path, ids }) =>
    path === ruleBook ? ids : ids.filter((id) => prefixOf(id) !== 'R'),
  )
  expect(twice(own)).toEqual([])
  expect([...declared].filter((id) => prefixOf(id) === 'R' && !ofAll.has(id))).toEqual([])
})

test('each prefix belongs to one page, which the table of prefixes links', () => {
  const homes = declarations.flatMap(({ path, ids }) =>
    [...new Set(ids.map(prefixOf))].filter((prefix) => prefix !== 'R').map((prefix) => ({ prefix, path })),
  )
  expect(twice(homes.map(({ prefix }) => prefix))).toEqual([])
  const [book = ''] = readDeclarations().flatMap(({ path, text }) => (path === ruleBook ? [text] : []))
  const linked = [...book.matchAll(/ ([A-Z]+) \| \[[^\]]+\]\(\.\.\/([^)]+)\)/g)].map(([, prefix, path]) => ({
    prefix,
    path,
  }))
  const inSpecs = homes.filter(({ path }) => path !== ruleBook)
  const byPrefix = (some: { prefix?: string | undefined; path?: string | undefined }[]) =>
    some.map(({ prefix, path }) => `${prefix} ${path}`).toSorted()
  expect(byPrefix(linked)).toEqual(byPrefix(inSpecs))
})

const unknownIn = ({ path }: Text, ids: string[]): string[] =>
  ids.filter((id) => !declared.has(id)).map((id) => `${id} in ${path}`)

test('every rule that is cited exists', () => {
  const inSources = sources.flatMap((source) => {
    const words = citedInWords(commentsIn(source.text), prefixes)
    return unknownIn(source, isTest(source) ? [...citedInTitles(source.text), ...words] : words)
  })
  const inPages = readCitingPages().flatMap((page) =>
    unknownIn(page, citedInWords(proseOf(page.text), prefixes)),
  )
  expect([...inSources, ...inPages]).toEqual([])
})

test('every rule is cited by the name of a test', () => {
  const cited = new Set(sources.filter(isTest).flatMap(({ text }) => citedInTitles(text)))
  expect([...declared].filter((id) => !cited.has(id))).toEqual([])
})

/** In texts, `P1` is a participant, `S3` an object store and `T4` a graphics card: only what cannot be anything else counts. */
function citedBeforeReaders(text: string): Set<string> {
  const inBrackets = [...text.matchAll(/\(([A-Z]{1,3}\d{1,3}a?)(?=[),:;])/g)].map(([, id = '']) => id)
  return new Set([
    ...citedInWords(text, ['R', 'RM']),
    ...inBrackets.filter((id) => prefixes.has(prefixOf(id))),
  ])
}

test('nothing that researchers or participants read cites a rule', () => {
  const pages = readOtherPages()
  expect(pages.length).toBeGreaterThan(30)
  const inPages = pages.flatMap(({ path, text }) =>
    [...citedBeforeReaders(proseOf(text))].map((id) => `${id} in ${path}`),
  )
  const inTexts = sources
    .filter((source) => !isTest(source) && !source.path.startsWith('scripts/'))
    .flatMap(({ path, text }) =>
      [...citedBeforeReaders(withoutComments(text))].map((id) => `${id} in ${path}`),
    )
  expect([...inPages, ...inTexts]).toEqual([])
})

test('a number is read where it cites a rule, and nowhere else', () => {
  const source = `
    // R14: joining again resumes (S1), see https://example.org/R15 and \`R16\`.
    const path = '<path d="M12 2v2" />' // not in a string
    /** W2: the position. */
    test('[R14,W2] [W10] joining again', () => undefined)
    test.each([1])('[M18] %s', () => undefined)`
  expect(citedInWords(commentsIn(source), ['R', 'S', 'W', 'M'])).toEqual(['R14', 'S1', 'W2'])
  expect(citedInTitles(source)).toEqual(['R14', 'W2', 'W10', 'M18'])
  expect(citedInWords(withoutComments(source), ['R'])).toEqual(['R14'])
  expect(declaredIn('- **R22, R23a** one\n- **not** one\n  - **R24** nor this')).toEqual(['R22', 'R23a'])
  expect(citedInWords(proseOf('R1 `R2` \n```ts\nR3\n```\n(R4)'), ['R'])).toEqual(['R1', 'R4'])
})
