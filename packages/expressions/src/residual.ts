import { evaluate, type Scope } from './evaluate.ts'
import { fieldReadAt } from './sources.ts'
import { childrenOf, type SyntaxNode, withChildren } from './syntax.ts'
import { isTruthy, type Value } from './value.ts'
import { spend, type Work } from './work.ts'

/** A value that is longer as JSON stays where it is known: what is left of an expression is sent to a page. */
const longestValue = 4_000

/**
 * What is left of an expression once everything is known but one source: what somebody is entering, of which only their page
 * knows. A literal if that source does not matter any more.
 */
export function residualOf(node: SyntaxNode, scope: Scope, open: string, work: Work): SyntaxNode {
  if (!spend(work, 1)) return known(null, work)
  const read = fieldReadAt(node)
  if (read?.source === open) return node
  if (read) {
    const value = scope.field?.(read.source, read.name)
    if (value !== undefined) return known(value, work)
  }
  if (node.kind === 'choice' || (node.kind === 'binary' && ['&&', '||'].includes(node.operator)))
    return branchOf(node, scope, open, work)
  const rest = withChildren(node, (child) => residualOf(child, scope, open, work))
  const isKnown = childrenOf(rest).every(({ kind }) => kind === 'literal')
  return isKnown ? known(evaluate({ text: '', root: rest }, scope, work), work) : rest
}

/** The side that cannot be reached any more is left out. */
function branchOf(
  node: Extract<SyntaxNode, { kind: 'choice' | 'binary' }>,
  scope: Scope,
  open: string,
  work: Work,
): SyntaxNode {
  const rest = (child: SyntaxNode) => residualOf(child, scope, open, work)
  if (node.kind === 'choice') {
    const test = rest(node.test)
    if (test.kind === 'literal') return rest(isTruthy(test.value) ? node.yes : node.no)
    return { ...node, test, yes: rest(node.yes), no: rest(node.no) }
  }
  const left = rest(node.left)
  if (left.kind === 'literal')
    return isTruthy(left.value) === (node.operator === '&&') ? rest(node.right) : left
  return { ...node, left, right: rest(node.right) }
}

function known(value: Value, work: Work): SyntaxNode {
  if (typeof value !== 'object' && typeof value !== 'string') return { kind: 'literal', value }
  const length = value === null ? 0 : JSON.stringify(value).length
  spend(work, length / 16)
  return { kind: 'literal', value: length > longestValue ? null : value }
}
