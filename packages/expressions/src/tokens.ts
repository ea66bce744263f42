/** `at` is the position of the first character, counted from 0. */
export interface Token {
  kind: 'number' | 'string' | 'name' | 'mark'
  text: string
  at: number
}

export interface TokenError {
  message: string
  at: number
}

/** Operators of other languages; matched first, so that `===` is not read as `==` followed by `=`. */
const foreignOperators = /===|!==|\*\*|\?\?|\?\.|=>|<<|>>|\+\+|&(?!&)|\|(?!\|)/y
const patterns = {
  number: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y,
  string: /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/y,
  name: /[A-Za-z_][A-Za-z0-9_]*/y,
  mark: /==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]]/y,
} as const
const kinds = ['number', 'string', 'name', 'mark'] as const

const hints: Record<string, string> = {
  '===': '; write ==',
  '!==': '; write !=',
  '=': '; write == to compare',
  '&': '; write &&',
  '|': '; write ||',
  '?.': '; write . instead, because a missing member is null anyway, or write 0.5 for a number',
}

/** Splits an expression into tokens. Names are ASCII, as ids are. */
export function readTokens(text: string): { tokens: Token[] } | { error: TokenError } {
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    at = skipSpaces(text, at)
    if (at >= text.length) break
    const foreign = matchAt(foreignOperators, text, at)
    const token = foreign === undefined ? tokenAt(text, at) : undefined
    if (!token) return { error: tokenErrorAt(text, at, foreign) }
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

function tokenErrorAt(text: string, at: number, foreign: string | undefined): TokenError {
  const found = foreign ?? String.fromCodePoint(text.codePointAt(at) ?? 32)
  if (found === "'" || found === '"') return { message: `the quotation mark ${found} is never closed`, at }
  return { message: `‘${found}’ is not part of the expression language${hints[found] ?? ''}`, at }
}
