// Finds the numbers of rules: where docs/rules.md and the SPEC.md files declare them, and who cites them.
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const exclude = ['**/node_modules/**', '**/dist/**']

export interface Text {
  path: string
  text: string
}

const read = (...patterns: string[]): Text[] =>
  globSync(patterns, { cwd: root, exclude })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))

export const ruleBook = 'docs/rules.md'
export const readDeclarations = () => read(ruleBook, '{apps,packages}/**/SPEC.md')
/** Those that may cite rules. The others are for readers who do not know them. */
export const readCitingPages = () => [
  ...readDeclarations(),
  ...read('CONTRIBUTING.md', 'docs/architecture.md', 'docs/adr/*.md'),
]
export const readOtherPages = () => {
  const citing = new Set(readCitingPages().map(({ path }) => path))
  const pages = read('*.md', 'docs/*.md', 'docs/reference/*', '{apps,packages,bench,deploy,examples}/**/*.md')
  return pages.filter(({ path }) => !citing.has(path))
}
export const readSources = () =>
  read('{apps,packages,bench,deploy,examples,scripts}/**/*.{ts,tsx,mjs,css}', '*.ts')

export const isTest = ({ path }: Text): boolean =>
  /\.(?:test|story|more|long|fault)\.(?:ts|mjs)$/.test(path) || /(?:^|\/)test\//.test(path)

const id = '[A-Z]{1,3}\\d{1,3}a?'

/** The ids that a page declares, in its order. */
export const declaredIn = (markdown: string): string[] =>
  [...markdown.matchAll(new RegExp(`^- \\*\\*(${id}(?:, ${id})*)\\*\\*`, 'gm'))].flatMap(([, ids = '']) =>
    ids.split(', '),
  )

export const prefixOf = (rule: string): string => rule.replace(/\d.*/, '')

const comment = /(?<![^\s;{}(])\/\/.*$|(?<![^\s{(])\/\*[\s\S]*?\*\//gm
const inlineCode = /`[^`\n]*`/g
const block = /^ *```[\s\S]*?^ *```/gm

export const commentsIn = (source: string): string =>
  (source.match(comment) ?? []).join('\n').replace(inlineCode, '')
export const withoutComments = (source: string): string => source.replace(comment, '')
export const proseOf = (markdown: string): string => markdown.replace(block, '').replace(inlineCode, '')

/** The ids at the beginning of the names of tests: `[R14,W2] joining again …`. */
export const citedInTitles = (source: string): string[] =>
  [...source.matchAll(new RegExp(`['"\`]((?:\\[${id}(?:,\\s*${id})*\\]\\s*)+)`, 'g'))].flatMap(
    ([, ids = '']) => ids.match(new RegExp(id, 'g')) ?? [],
  )

/** The words of a comment or page that look like one of our rules. `S256` and `/M4` do not: they are part of something longer. */
export function citedInWords(text: string, prefixes: Iterable<string>): string[] {
  const cited = new RegExp(`(?<![\\w/.#-])(?:${[...prefixes].join('|')})\\d{1,3}a?(?!\\w)`, 'g')
  return text.match(cited) ?? []
}
