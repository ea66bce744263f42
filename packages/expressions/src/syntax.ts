import { assertNever } from '@atrium/contract'
import type { Value } from './value.ts'

/** Everything that an expression can consist of. */
export type SyntaxNode =
  | { kind: 'literal'; value: Value }
  | { kind: 'list'; items: readonly SyntaxNode[] }
  | { kind: 'fact'; name: FactName }
  | { kind: 'variable'; name: string }
  | { kind: 'response'; componentId: string }
  | { kind: 'responses'; componentId: string }
  | { kind: 'member'; object: SyntaxNode; key: SyntaxNode }
  | { kind: 'unary'; operator: UnaryOperator; argument: SyntaxNode }
  | { kind: 'binary'; operator: BinaryOperator; left: SyntaxNode; right: SyntaxNode }
  | { kind: 'choice'; test: SyntaxNode; yes: SyntaxNode; no: SyntaxNode }
  | { kind: 'call'; name: string; arguments: readonly SyntaxNode[] }

const factNames = ['role', 'condition', 'round', 'visit', 'state', 'participants', 'ready'] as const
export type FactName = (typeof factNames)[number]

const unaryOperators = ['-', '!'] as const
type UnaryOperator = (typeof unaryOperators)[number]

const binaryOperators = [
  ...(['+', '-', '*', '/', '%'] as const),
  ...(['==', '!=', '<', '<=', '>', '>='] as const),
  ...(['&&', '||'] as const),
] as const
export type BinaryOperator = (typeof binaryOperators)[number]

export const factNamed = (name: string): FactName | undefined => factNames.find((known) => known === name)
export const unaryOperatorNamed = (text: string): UnaryOperator | undefined =>
  unaryOperators.find((known) => known === text)
export const binaryOperatorNamed = (text: string): BinaryOperator | undefined =>
  binaryOperators.find((known) => known === text)

/** Names that a variable cannot have, because expressions could not refer to it. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...factNames,
  ...['response', 'responses', 'true', 'false', 'null', 'this'],
])

/**
 * The node and everything in it, outermost first. Without recursion: a generator within a generator passes each node
 * through all that are around it, which made up most of the time that checking a text took.
 */
export function* nodesIn(root: SyntaxNode): Generator<SyntaxNode> {
  const pending = [root]
  for (let node = pending.pop(); node; node = pending.pop()) {
    yield node
    pending.push(...childrenOf(node).toReversed())
  }
}

/** The node with something in place of each of its children. */
export function withChildren(node: SyntaxNode, change: (child: SyntaxNode) => SyntaxNode): SyntaxNode {
  switch (node.kind) {
    case 'literal':
    case 'fact':
    case 'variable':
    case 'response':
    case 'responses':
      return node
    case 'list':
      return { ...node, items: node.items.map(change) }
    case 'member':
      return { ...node, object: change(node.object), key: change(node.key) }
    case 'unary':
      return { ...node, argument: change(node.argument) }
    case 'binary':
      return { ...node, left: change(node.left), right: change(node.right) }
    case 'choice':
      return { ...node, test: change(node.test), yes: change(node.yes), no: change(node.no) }
    case 'call':
      return { ...node, arguments: node.arguments.map(change) }
    default:
      return assertNever(node)
  }
}

export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  switch (node.kind) {
    case 'literal':
    case 'fact':
    case 'variable':
    case 'response':
    case 'responses':
      return []
    case 'list':
      return node.items
    case 'member':
      return [node.object, node.key]
    case 'unary':
      return [node.argument]
    case 'binary':
      return [node.left, node.right]
    case 'choice':
      return [node.test, node.yes, node.no]
    case 'call':
      return node.arguments
    default:
      return assertNever(node)
  }
}
