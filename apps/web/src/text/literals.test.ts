import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

// Everything that people read or hear is in the catalogue, so that it can be translated and is worded once.

const source = 'apps/web/src'

/** Sentences that are not the page’s own. */
const exempt = [
  // What participants read in a new study: the researcher’s words from then on, in the study’s language.
  `${source}/console/experiments/starting-points.ts`,
  // Syntax errors of JSON, which are English in every editor.
  `${source}/console/definition/json-places.ts`,
]

/** Attributes and properties that people read or hear. */
const spoken = new Set([
  ...[
    'aria-label',
    'aria-description',
    'aria-roledescription',
    'aria-valuetext',
    'alt',
    'placeholder',
    'title',
  ],
  ...['label', 'description', 'hint', 'message', 'explanation', 'confirmLabel', 'cancelLabel', 'text'],
])

type Node = Record<string, unknown> & { type: string; start: number }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

/** The texts that an expression may evaluate to; the calls and elements inside it are examined separately. */
function textsIn(value: unknown): string[] {
  if (!isNode(value)) return []
  switch (value.type) {
    case 'JSXText':
    case 'Literal':
      return typeof value.value === 'string' ? [value.value] : []
    case 'TemplateElement':
      return isRaw(value.value) ? [value.value.raw] : []
    case 'TemplateLiteral':
    case 'JSXExpressionContainer':
      return childrenOf(value).flatMap(textsIn)
    case 'ConditionalExpression':
      return [value.consequent, value.alternate].flatMap(textsIn)
    case 'LogicalExpression':
      return (value.operator === '&&' ? [value.right] : [value.left, value.right]).flatMap(textsIn)
    case 'BinaryExpression':
      return isComparison(value) ? [] : [value.left, value.right].flatMap(textsIn)
    default:
      return []
  }
}

const isComparison = ({ type, operator }: Node) => type === 'BinaryExpression' && operator !== '+'

const isRaw = (value: unknown): value is { raw: string } =>
  typeof value === 'object' && value !== null && 'raw' in value && typeof value.raw === 'string'

const nameIn = (value: unknown): string => (isNode(value) ? String(value.name ?? value.value ?? '') : '')

const hasLetters = (text: string) => /\p{L}/u.test(text)
const isTitle = (text: string) => /^\s*\p{Lu}/u.test(text)
const isSentence = (text: string) => /^\s*\p{Lu}\S*\s+\p{L}/u.test(text)

function literalsAt(node: Node): string[] {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return (Array.isArray(node.children) ? node.children : []).flatMap(textsIn).filter(hasLetters)
    case 'JSXAttribute':
      return spoken.has(nameIn(node.name)) ? textsIn(node.value).filter(hasLetters) : []
    case 'Property':
      // In objects these names also hold ids and kinds, which begin with a lower-case letter.
      return spoken.has(nameIn(node.key)) ? textsIn(node.value).filter(isTitle) : []
    case 'Literal':
    case 'TemplateLiteral':
      return textsIn(node).filter(isSentence)
    default:
      return []
  }
}

/** An error is thrown for developers, and a comparison is with a name: nobody sees either on a page. */
const isUnseen = (node: Node) =>
  (node.type === 'NewExpression' && nameIn(node.callee) === 'Error') || isComparison(node)

function literalsIn(code: string, file = 'page.tsx'): string[] {
  const visit = (node: Node): string[] =>
    isUnseen(node) ? [] : [...literalsAt(node), ...childrenOf(node).flatMap(visit)]
  const { program } = parseSync(file, code, { lang: 'tsx' })
  return [...new Set(visit(program as unknown as Node).map((text) => text.trim()))]
}

test.each([
  ['<p>Hello</p>', 'Hello'],
  ['<p>{isOpen ? texts().hide : "Show"}</p>', 'Show'],
  ['<p>{isOpen && "left: " + count}</p>', 'left:'],
  ['<input aria-label="Search" />', 'Search'],
  ['<input placeholder={isNew ? "Name" : undefined} />', 'Name'],
  ['const series = [{ name: "joined", label: "Joined" }]', 'Joined'],
  ['fail("The list was not changed")', 'The list was not changed'],
])('a text outside the catalogue is found: %s', (code, text) => {
  expect(literalsIn(code)).toContain(text)
})

test.each([
  '<p className="quiet">{texts().loading} · {title === "Unknown type" ? a : b}</p>',
  '<img alt="" src="/icon.svg" />',
  'throw new Error("Media must be inside a stage.")',
])('what nobody reads is left alone: %s', (code) => {
  expect(literalsIn(code)).toEqual([])
})

test('every text of the pages is in the catalogue', () => {
  const files = globSync(`${source}/**/*.{ts,tsx}`)
    .map((file) => file.replaceAll('\\', '/'))
    .filter(
      (file) => !file.startsWith(`${source}/text/`) && !file.endsWith('.test.ts') && !exempt.includes(file),
    )
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap((file) =>
    literalsIn(readFileSync(file, 'utf8'), file).map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})
