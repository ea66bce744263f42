// What the documentation asks its readers to type or to copy.

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
    const fence = /^(\s*)```\s*(\S*)\s*(.*)$/.exec(line)
    if (open && fence) {
      const { indent: _, ...block } = open
      blocks.push(block)
      open = undefined
    } else if (open) {
      open.text += `${line.startsWith(open.indent) ? line.slice(open.indent.length) : line}\n`
    } else if (fence) {
      const [, indent = '', language = '', note = ''] = fence
      open = { page, line: index + 1, language, note: note.trim(), text: '', indent }
    }
  }
  if (open) throw new Error(`${placeOf(open)}: the block is not closed`)
  return blocks
}

/** The `code` within the sentences of a page. */
export const inlineCodeIn = (markdown: string): string[] => {
  const sentences = markdown.replace(/^(\s*)```[\s\S]*?^\s*```/gm, '')
  return [...sentences.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

/** An answer as a page shows it: only some fields, and `…` for what is different each time. */
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

/** Servers of tests listen wherever there is room. */
const withoutPorts = (text: string): string => text.replace(/(127\.0\.0\.1):\d+/g, '$1:port')
