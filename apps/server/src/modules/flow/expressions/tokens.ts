/** A word of an expression and where it begins, counted from 0. */
export interface Token {
  kind: 'number' | 'string' | 'name' | 'mark'
  text: string
  at: number
}

export interface Misread {
  message: string
  at: number
}

export const deepestNesting = 50

/** What people try that jsep would accept or misread; tried first, so that `===` is not read as `==` and a rest. */
const refused = /===|!==|\*\*|\?\?|\?\.|=>|<<|>>|\+\+|&(?!&)|\|(?!\|)/y
const patterns = {
  number: /(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?/y,
  string: /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/y,
  name: /[A-Za-z_][A-Za-z0-9_]*/y,
  mark: /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]]/y,
} as const
const kinds = ['number', 'string', 'name', 'mark'] as const

const instead: Record<string, string> = {
  '===': '; write ==',
  '!==': '; write !=',
  '=': '; write == to compare',
  '&': '; write &&',
  '|': '; write ||',
  '?.': '; a missing member is null anyway, and a number is written 0.5',
}

/**
 * The words of an expression. jsep is generous (it takes `a b`, `a;`, `[1,]`, `max(1 2)`, any non-ASCII letter) and its
 * nodes have no positions; so what it would guess at is refused here first, with the place.
 */
export function readTokens(text: string): { tokens: Token[] } | { misread: Misread } {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    at = skipSpaces(text, at)
    if (at >= text.length) break
    const wrong = matchAt(refused, text, at)
    const token = wrong === undefined ? tokenAt(text, at) : undefined
    if (!token) return { misread: unreadable(text, at, wrong) }
    tokens.push(token)
    at += token.text.length
  }
  const misread = misplaced(tokens)
  return misread ? { misread } : { tokens }
}

function skipSpaces(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at += 1
  return at
}

const matchAt = (pattern: RegExp, text: string, at: number): string | undefined => {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function tokenAt(text: string, at: number): Token | undefined {
  for (const kind of kinds) {
    const found = matchAt(patterns[kind], text, at)
    if (found !== undefined) return { kind, text: found, at }
  }
  return undefined
}

function unreadable(text: string, at: number, wrong: string | undefined): Misread {
  const found = wrong ?? String.fromCodePoint(text.codePointAt(at) ?? 32)
  if (found === "'" || found === '"') return { message: `the quote ${found} is never closed`, at }
  return { message: `‘${found}’ is not part of the language${instead[found] ?? ''}`, at }
}

const endsOperand = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind !== 'mark' || token.text === ')' || token.text === ']')

function misplaced(tokens: readonly Token[]): Misread | undefined {
  let depth = 0
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1]
    const { text, at } = token
    if (token.kind !== 'mark' && endsOperand(before))
      return { message: `an operator or a comma is missing before ‘${text}’`, at }
    if (text === ',' && (!before || ['(', '[', ','].includes(before.text)))
      return { message: 'something is missing before the comma', at }
    if ((text === ')' || text === ']') && before?.text === ',')
      return { message: `something is missing between the comma and ‘${text}’`, at }
    if (text === ')' && before?.text === '(' && !endsOperand(tokens[index - 2]))
      return { message: 'there is nothing in the parentheses', at }
    if (text === '(' || text === '[') depth += 1
    if (text === ')' || text === ']') depth -= 1
    if (depth > deepestNesting) return { message: `it is nested deeper than ${deepestNesting}`, at }
  }
  const last = tokens.at(-1)
  return last?.text === ',' ? { message: 'something is missing after the comma', at: last.at } : undefined
}
