import { type Expression, parseExpression } from '@atrium/expressions'

/**
 * Parsed when it is first evaluated: a definition may have 150 KB of expressions, and parsing all of them takes 80 ms.
 * Definitions are checked when they are saved, so one that does not parse here was never saved by this server.
 */
export function compileExpression(text: string): Expression {
  let root: Expression['root'] | undefined
  return {
    text,
    get root() {
      root ??= rootOf(text)
      return root
    },
  }
}

function rootOf(text: string): Expression['root'] {
  const parsed = parseExpression(text)
  if (!parsed.ok)
    throw new Error(`a stored definition has an expression that does not parse: ${parsed.message}`)
  return parsed.expression.root
}
