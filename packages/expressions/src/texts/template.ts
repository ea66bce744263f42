import { type Expression, parseExpression } from '../expression.ts'
import { parseValueFormat, type ValueFormat } from './value-format.ts'

/** A text with values in it: `You gave {{given | 0.00}}`. */
export interface Template {
  parts: readonly (string | Insert)[]
}

export interface Insert {
  /** What stands between the braces: what is written alike shows the same. */
  written: string
  expression: Expression
  format: ValueFormat
}

export type ParsedTemplate = { ok: true; template: Template } | { ok: false; message: string }

const maxInserts = 50
const longestInsert = 2_000

export const hasInserts = (text: string): boolean => text.includes('{{')

/** Parses a text. `{{'{{'}}` writes two braces. */
export function parseTemplate(text: string): ParsedTemplate {
  const parts: (string | Insert)[] = []
  let at = 0
  for (;;) {
    const open = text.indexOf('{{', at)
    if (open < 0) break
    const close = closeOf(text, open + 2)
    if (close < 0) return { ok: false, message: `‘{{’ at character ${open + 1} is never closed` }
    const insert = parseInsert(text.slice(open + 2, close))
    if ('message' in insert)
      return { ok: false, message: `{{${text.slice(open + 2, close)}}}: ${insert.message}` }
    parts.push(text.slice(at, open), insert)
    if (parts.length > 2 * maxInserts)
      return { ok: false, message: `has more than ${maxInserts} values in {{…}}` }
    at = close + 2
  }
  parts.push(text.slice(at))
  return { ok: true, template: { parts } }
}

/** A text for where no values are known yet: an ellipsis stands for each, `{{'{{'}}` for two braces. */
export function textBeforeValues(text: string): string {
  const parsed = hasInserts(text) ? parseTemplate(text) : undefined
  if (!parsed?.ok) return text
  return parsed.template.parts.map((part) => (typeof part === 'string' ? part : withoutValue(part))).join('')
}

const withoutValue = ({ expression: { root } }: Insert): string =>
  root.kind === 'literal' && typeof root.value === 'string' ? root.value : '…'

/** The position of the braces that close an insert; -1 if there are none. Quoted braces do not count. */
function closeOf(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < Math.min(text.length, from + longestInsert); at += 1) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (character === '\\') at += 1
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '}' && text.charAt(at + 1) === '}') return at
  }
  return -1
}

function parseInsert(inside: string): Insert | { message: string } {
  const bar = barIn(inside)
  const parsed = parseExpression(bar < 0 ? inside : inside.slice(0, bar))
  if (!parsed.ok) return { message: `syntax error at character ${parsed.at + 1}: ${parsed.message}` }
  const format = bar < 0 ? ({ kind: 'usual' } as const) : parseValueFormat(inside.slice(bar + 1).trim())
  return 'message' in format ? format : { written: inside, expression: parsed.expression, format }
}

/** The position of the bar before the format; -1 if there is none. `||` belongs to the expression. */
function barIn(inside: string): number {
  const marks = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\|\||\|/g
  for (const { 0: mark, index } of inside.matchAll(marks)) if (mark === '|') return index
  return -1
}
