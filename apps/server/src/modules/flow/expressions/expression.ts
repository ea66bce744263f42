import jsep from 'jsep'
import { binaryOperatorNamed, factNamed, type SyntaxNode, unaryOperatorNamed } from './syntax.ts'
import { deepestNesting, readTokens, type Token } from './tokens.ts'

export interface Expression {
  readonly text: string
  readonly root: SyntaxNode
}

export type ParsedExpression =
  | { ok: true; expression: Expression }
  | { ok: false; message: string; at: number }

const longestText = 2_000
const mostNodes = 500

/** Reads an expression. `at` counts characters from 0. */
export function parseExpression(text: string): ParsedExpression {
  if (text.length > longestText)
    return { ok: false, message: `it is longer than ${longestText} characters`, at: longestText }
  const read = readTokens(text)
  if ('misread' in read) return { ok: false, ...read.misread }
  if (read.tokens.length === 0) return { ok: false, message: 'it is empty', at: 0 }
  const tree = readTree(text)
  if ('message' in tree) return { ok: false, ...tree }
  const reading: Reading = { tokens: read.tokens, nodes: 0, refusal: undefined }
  const root = accept(tree.root, reading, 1)
  return reading.refusal ? { ok: false, ...reading.refusal } : { ok: true, expression: { text, root } }
}

function readTree(text: string): { root: jsep.Expression } | { message: string; at: number } {
  try {
    return { root: jsep(text) }
  } catch (error) {
    // jsep says what it expected by throwing; the text is the researcher's, so this is an ordinary outcome.
    const { description, index } = error as { description?: unknown; index?: unknown }
    return {
      message: typeof description === 'string' ? description : 'it cannot be read',
      at: typeof index === 'number' ? Math.min(index, text.length) : 0,
    }
  }
}

interface Reading {
  readonly tokens: readonly Token[]
  nodes: number
  refusal: { message: string; at: number } | undefined
}

/** jsep's tree becomes ours; whatever is not on the list is refused. */
function accept(given: jsep.Expression, reading: Reading, depth: number): SyntaxNode {
  reading.nodes += 1
  if (depth > deepestNesting) return refuse(reading, `it is nested deeper than ${deepestNesting}`)
  if (reading.nodes > mostNodes) return refuse(reading, `it has more than ${mostNodes} parts`)
  const inner = (child: jsep.Expression) => accept(child, reading, depth + 1)
  const node = given as jsep.CoreExpression
  switch (node.type) {
    case 'Literal':
      return acceptLiteral(node, reading)
    case 'Identifier':
      return acceptName(node.name, reading)
    case 'MemberExpression':
      return acceptMember(node, reading, inner)
    case 'CallExpression':
      if (node.callee.type !== 'Identifier') return refuse(reading, 'only a function can be called', '(')
      return { kind: 'call', name: String(node.callee.name), arguments: node.arguments.map(inner) }
    case 'ArrayExpression':
      return {
        kind: 'list',
        items: node.elements.map((item) => (item ? inner(item) : refuse(reading, 'an item is missing', ','))),
      }
    case 'UnaryExpression': {
      const operator = unaryOperatorNamed(node.operator)
      if (!operator) return refuse(reading, `‘${node.operator}’ needs something on its left`, node.operator)
      return { kind: 'unary', operator, argument: inner(node.argument) }
    }
    case 'BinaryExpression': {
      const operator = binaryOperatorNamed(node.operator)
      if (!operator) return refuse(reading, `‘${node.operator}’ is not part of the language`, node.operator)
      return { kind: 'binary', operator, left: inner(node.left), right: inner(node.right) }
    }
    case 'ConditionalExpression':
      return {
        kind: 'choice',
        test: inner(node.test),
        yes: inner(node.consequent),
        no: inner(node.alternate),
      }
    case 'ThisExpression':
      return refuse(reading, '‘this’ is not part of the language', 'this')
    case 'Compound':
    case 'SequenceExpression':
      return refuse(reading, 'one expression is expected, not several', ',')
    default:
      return refuse(reading, 'it has a part that is not in the language')
  }
}

function acceptLiteral({ value, raw }: jsep.Literal, reading: Reading): SyntaxNode {
  if (typeof value === 'number' && !Number.isFinite(value)) return refuse(reading, `${raw} is too large`, raw)
  if (value instanceof RegExp) return refuse(reading, 'it has a part that is not in the language')
  return { kind: 'literal', value }
}

function acceptName(name: string, reading: Reading): SyntaxNode {
  if (name === 'response' || name === 'responses')
    return refuse(reading, `‘${name}’ needs a component: ${name}.mood or ${name}['mood']`, name)
  const fact = factNamed(name)
  return fact ? { kind: 'fact', name: fact } : { kind: 'variable', name }
}

function acceptMember(
  { computed, object, property }: jsep.MemberExpression,
  reading: Reading,
  inner: (child: jsep.Expression) => SyntaxNode,
): SyntaxNode {
  const key: SyntaxNode = computed ? inner(property) : { kind: 'literal', value: String(property.name) }
  const source = object.type === 'Identifier' ? object.name : undefined
  if (source !== 'response' && source !== 'responses') return { kind: 'member', object: inner(object), key }
  // The id must be written out: only then can a definition be checked when it is saved.
  if (key.kind !== 'literal' || typeof key.value !== 'string')
    return refuse(reading, `‘${source}’ needs the id of a component, as in ${source}['mood']`, source)
  return { kind: source, componentId: key.value }
}

/** Notes the first refusal, at the first word that may have caused it. */
function refuse(reading: Reading, message: string, near?: string): SyntaxNode {
  const at = reading.tokens.find((token) => token.text === near)?.at ?? 0
  reading.refusal ??= { message, at }
  return { kind: 'literal', value: null }
}
