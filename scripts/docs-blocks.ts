// What the documentation asks readers to type or copy.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface Page {
  name: string
  blocks: Block[]
  /** Inline `code` in the prose. */
  inlineCode: string[]
}

/** Every page but docs/reference, which is generated from the contract and its examples. */
export const readPages = (): Page[] =>
  globSync(['*.md', 'docs/*.md', 'docs/adr/*.md', '{apps,packages,bench}/**/*.md'], { cwd: root })
    .filter((name) => !name.includes('node_modules'))
    .toSorted()
    .map((name) => {
      const markdown = readFileSync(join(root, name), 'utf8')
      return { name, blocks: blocksIn(name, markdown), inlineCode: inlineCodeIn(markdown) }
    })

/** A fenced block of a page: ```<language> <note>. */
export interface Block {
  page: string
  line: number
  language: string
  note: string
  text: string
}

export const placeOf = ({ page, line }: Block): string => `${page}:${line}`

export function blocksIn(page: string, markdown: string): Block[] {
  const blocks: Block[] = []
  let open: (Block & { indent: string }) | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^(\s*(?:[-*]\s+)?)(?:```|~~~)\s*(\S*)\s*(.*)$/.exec(line)
    if (open && fence) {
      const { indent: _, ...block } = open
      blocks.push(block)
      open = undefined
    } else if (open) {
      open.text += `${line.startsWith(open.indent) ? line.slice(open.indent.length) : line}\n`
    } else if (fence) {
      const [, indent = '', language = '', note = ''] = fence
      open = {
        page,
        line: index + 1,
        language,
        note: note.trim(),
        text: '',
        indent: ' '.repeat(indent.length),
      }
    }
  }
  if (open) throw new Error(`${placeOf(open)}: the block is not closed`)
  return blocks
}

function inlineCodeIn(markdown: string): string[] {
  const sentences = markdown.replace(/^\s*(?:[-*]\s+)?(```|~~~)[\s\S]*?^\s*\1/gm, '')
  return [...sentences.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

/** docs.more.ts and docs-snippets.more.ts check each kind of block, except pictures and plain text. */
export const knownKinds = [
  'sh',
  'json',
  'json <file>.json',
  'json output',
  'json alone',
  'ts',
  'env',
  'expression',
  'text',
  'mermaid',
]

export const isKnown = ({ language, note }: Block): boolean =>
  knownKinds.includes(`${language} ${note.replace(/^[\w-]+\.json$/, '<file>.json')}`.trim())

/** Whether a real response matches the one on a page, which may omit fields and use `…` for values that vary. */
export function isShownBy(shown: unknown, real: unknown): boolean {
  if (typeof shown === 'string' && typeof real === 'string') {
    const [start = '', ...rest] = withoutPorts(shown).split('…')
    const text = withoutPorts(real)
    return rest.length === 0 ? text === start : text.startsWith(start) && text.endsWith(rest.at(-1) ?? '')
  }
  if (typeof shown !== 'object' || shown === null) return shown === real
  if (typeof real !== 'object' || real === null) return false
  if (Array.isArray(shown) && (!Array.isArray(real) || shown.length !== real.length)) return false
  const fields: Record<string, unknown> = { ...real }
  return Object.entries(shown).every(([name, value]) => isShownBy(value, fields[name]))
}

/** Test servers listen on any free port. */
const withoutPorts = (text: string): string => text.replace(/(127\.0\.0\.1):\d+/g, '$1:port')
