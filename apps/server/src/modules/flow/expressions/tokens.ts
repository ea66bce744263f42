/** A token of an expression; `at` is its position, counted from 0. */
export interface Token {
  kind: 'number' | 'string' | 'name' | 'mark'
  text: string
  at: number
}

export interface Misread {
  message: string
  at: number
}

/** Operators of other languages; tried first, so that `===` is not read as `==` followed by `=`. */
const refused = /===|!==|\*\*|\?\?|\?\.|=>|<<|>>|\+\+|&(?!&)|\|(?!\|)/y
const patterns = {
  number: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y,
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
  '?.': '; write . instead, because a missing member is null anyway, or write 0.5 for a number',
}

/** Splits an expression into tokens. Names are ASCII, as ids are. */
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
  return { tokens }
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
  if (found === "'" || found === '"') return { message: `the quotation mark ${found} is never closed`, at }
  return { message: `‘${found}’ is not part of the expression language${instead[found] ?? ''}`, at }
}
