import { type Names, syntaxIssues } from './check-expression.ts'
import { parseExpression } from './expression.ts'
import { fieldIssues } from './response-fields.ts'
import { typeIssues } from './static-types.ts'
import type { SyntaxNode } from './syntax.ts'
import { readTokens, type Token } from './tokens.ts'

/** What an expression reads although it is always empty, and why. */
interface EmptyRead {
  written: string
  instead: 'null' | '[]'
  message: string
}

interface WithoutEmptyReads {
  text: string
  reads: EmptyRead[]
}

type Declared = Pick<Names, 'components' | 'responseForms' | 'silent'>

/**
 * F181: the expression with `null` in place of each field that no response has (F52), and with null or an empty list for responses
 * to a component that takes none. It gives the same as before, in every room. Undefined where nothing is to be replaced, or where
 * what is left would be refused, such as `1 + null`.
 */
export function withoutEmptyReads(text: string, declared: Declared): WithoutEmptyReads | undefined {
  const read = readTokens(text)
  if ('error' in read || !parseExpression(text).ok) return undefined
  const reads: EmptyRead[] = []
  let changed = ''
  let kept = 0
  for (const [at, token] of read.tokens.entries()) {
    if (!startsRead(token, read.tokens[at - 1])) continue
    const found = emptyAt(text, read.tokens, at, declared)
    if (!found) continue
    changed += text.slice(kept, token.at) + found.instead
    kept = token.at + found.written.length
    reads.push(found)
  }
  if (reads.length === 0) return undefined
  changed += text.slice(kept)
  const parsed = parseExpression(changed)
  return parsed.ok && typeIssues(parsed.expression.root).length === 0 ? { text: changed, reads } : undefined
}

const startsRead = ({ kind, text }: Token, before: Token | undefined): boolean =>
  kind === 'name' && (text === 'response' || text === 'responses') && before?.text !== '.'

/** Goes from `response.mood` one step deeper at a time, as far as the keys are written out. */
function emptyAt(
  text: string,
  tokens: readonly Token[],
  first: number,
  declared: Declared,
): EmptyRead | undefined {
  const from = tokens[first]?.at ?? 0
  let message: string | undefined
  let end = from
  for (let at = stepAfter(tokens, first + 1); at !== undefined; at = stepAfter(tokens, at)) {
    const last = tokens[at - 1]
    end = last ? last.at + last.text.length : end
    if (message !== undefined) continue
    const parsed = parseExpression(text.slice(from, end))
    if (!parsed.ok) return undefined
    const { root } = parsed.expression
    message = whyEmpty(root, declared)
    // What follows is read from the list.
    if (message !== undefined && root.kind === 'responses')
      return { written: text.slice(from, end), instead: '[]', message }
  }
  return message === undefined ? undefined : { written: text.slice(from, end), instead: 'null', message }
}

/** The position after `.name`, `['name']` or `[0]`; undefined where no such step follows. */
function stepAfter(tokens: readonly Token[], at: number): number | undefined {
  const [mark, key, close] = tokens.slice(at, at + 3)
  if (mark?.text === '.' && key?.kind === 'name') return at + 2
  const isWritten = key?.kind === 'string' || key?.kind === 'number'
  return mark?.text === '[' && isWritten && close?.text === ']' ? at + 3 : undefined
}

function whyEmpty(node: SyntaxNode, { components, responseForms, silent }: Declared): string | undefined {
  if (node.kind === 'response' || node.kind === 'responses') {
    if (!silent?.has(node.componentId)) return undefined
    const nobody = { roomVariables: new Set<string>(), participantVariables: new Set<string>() }
    return syntaxIssues(node, { ...nobody, components, silent, forEach: 'participant' })[0]
  }
  return responseForms && fieldIssues(node, responseForms)[0]
}
