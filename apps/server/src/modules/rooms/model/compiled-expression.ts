import { type Expression, parseExpression } from '@atrium/expressions'
import { LRUCache } from 'lru-cache'

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

/** Parsed, an expression takes a hundred times its size. */
const maxExpressionCharacters = 65_536

/** Those in settings, each parsed once: a setting is found for each participant, perhaps about each of the others. */
export function createExpressions(): typeof compileExpression {
  const expressions = new LRUCache<string, Expression>({
    maxSize: maxExpressionCharacters,
    sizeCalculation: (_, text) => Math.max(1, text.length),
  })
  return (text) => {
    const known = expressions.get(text) ?? compileExpression(text)
    expressions.set(text, known)
    return known
  }
}

function rootOf(text: string): Expression['root'] {
  const parsed = parseExpression(text)
  if (!parsed.ok)
    throw new Error(`a stored definition has an expression that does not parse: ${parsed.message}`)
  return parsed.expression.root
}
