import { binaryOperatorNamed, factNamed, type SyntaxNode, unaryOperatorNamed } from './syntax.ts'
import { readTokens, type Token } from './tokens.ts'

export interface Expression {
  readonly text: string
  readonly root: SyntaxNode
}

export type ParsedExpression =
  | { ok: true; expression: Expression }
  | { ok: false; message: string; at: number }

const maxTextLength = 2_000
const maxNodes = 500
const maxNesting = 50
const tooDeep = `it is nested deeper than ${maxNesting} levels`

/** Parses an expression. `at` counts characters from 0. */
export function parseExpression(text: string): ParsedExpression {
  if (text.length > maxTextLength)
    return { ok: false, message: `it is longer than ${maxTextLength} characters`, at: maxTextLength }
  const read = readTokens(text)
  if ('error' in read) return { ok: false, ...read.error }
  if (read.tokens.length === 0) return { ok: false, message: 'it is empty', at: 0 }
  try {
    return { ok: true, expression: { text, root: parseTokens(read.tokens, text.length) } }
  } catch (error) {
    if (error instanceof SyntaxFault) return { ok: false, message: error.message, at: error.at }
    throw error
  }
}

/** Expected for text that a researcher writes; never leaves this file. */
class SyntaxFault extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** A parsed part with its depth. */
interface Part {
  node: SyntaxNode
  depth: number
}

/** A bare name. What follows decides whether it is a function, `response(s)` or a variable. */
interface Name {
  name: string
  at: number
}

/** From the lowest precedence to the highest. */
const operatorLevels = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%']]
const precedence: Readonly<Record<string, number>> = Object.fromEntries(
  operatorLevels.flatMap((operators, index) => operators.map((operator) => [operator, index + 1])),
)
const literals: Readonly<Record<string, true | false | null>> = { true: true, false: false, null: null }

/**
 * Precedence climbing, with the precedences of JavaScript. Recursion is bounded: brackets by `maxNesting`, the rest by
 * the length of the text.
 */
function parseTokens(tokens: readonly Token[], end: number): SyntaxNode {
  let next = 0
  let openBrackets = 0
  let nodes = 0

  const isNext = (text: string): boolean => tokens[next]?.kind === 'mark' && tokens[next]?.text === text

  function expect(text: string, message: string): void {
    if (!isNext(text)) throw new SyntaxFault(messageAt(tokens[next], message), tokens[next]?.at ?? end)
    next += 1
  }

  function createPart(node: SyntaxNode, ...within: Part[]): Part {
    nodes += 1
    const depth = within.reduce((deepest, part) => Math.max(deepest, part.depth), 0) + 1
    if (depth > maxNesting) throw new SyntaxFault(tooDeep, 0)
    if (nodes > maxNodes) throw new SyntaxFault(`it has more than ${maxNodes} parts`, 0)
    return { node, depth }
  }

  function parseChoice(): Part | Name {
    const test = parseBinary(1)
    if (!isNext('?')) return test
    next += 1
    const yes = asPart(parseChoice())
    expect(':', 'a ‘:’ is missing')
    const no = asPart(parseChoice())
    const tested = asPart(test)
    return createPart({ kind: 'choice', test: tested.node, yes: yes.node, no: no.node }, tested, yes, no)
  }

  function parseBinary(lowest: number): Part | Name {
    let left = parseUnary()
    for (;;) {
      const token = tokens[next]
      const level = token?.kind === 'mark' ? (precedence[token.text] ?? 0) : 0
      const operator = token && binaryOperatorNamed(token.text)
      if (level < lowest || !operator) return left
      next += 1
      const right = asPart(parseBinary(level + 1))
      const first = asPart(left)
      left = createPart({ kind: 'binary', operator, left: first.node, right: right.node }, first, right)
    }
  }

  function parseUnary(): Part | Name {
    const token = tokens[next]
    const operator = token?.kind === 'mark' ? unaryOperatorNamed(token.text) : undefined
    if (!operator) return parsePostfix()
    next += 1
    const argument = asPart(parseUnary())
    return createPart({ kind: 'unary', operator, argument: argument.node }, argument)
  }

  function parsePostfix(): Part | Name {
    const isNumber = tokens[next]?.kind === 'number'
    let part = parsePrimary()
    for (;;) {
      const token = tokens[next]
      if (isNumber || token?.kind !== 'mark') return part
      if (token.text === '.') part = memberOf(part, parseKey())
      else if (token.text === '[') part = memberOf(part, parseComputedKey())
      else if (token.text === '(') part = parseCall(part, token.at)
      else return part
    }
  }

  function parseKey(): Part {
    next += 1
    const token = tokens[next]
    if (token?.kind !== 'name') throw new SyntaxFault('a name is missing after the dot', token?.at ?? end)
    next += 1
    return { node: { kind: 'literal', value: token.text }, depth: 0 }
  }

  function parseComputedKey(): Part {
    const [key, ...more] = parseList(']')
    const { at = end } = tokens[next - 1] ?? {}
    if (!key) throw new SyntaxFault('the brackets are empty', at)
    if (more.length > 0) throw new SyntaxFault('the brackets must contain a single expression', at)
    return key
  }

  function parseCall(called: Part | Name, at: number): Part {
    if (!('name' in called) || called.name === 'this')
      throw new SyntaxFault('only functions can be called', at)
    const given = parseList(')')
    const [test, yes, no] = given.map(({ node }) => node)
    // Only what the test chooses is evaluated, as with `?`.
    if (called.name === 'if' && given.length === 3 && test && yes && no)
      return createPart({ kind: 'choice', test, yes, no }, ...given)
    return createPart({ kind: 'call', name: called.name, arguments: given.map(({ node }) => node) }, ...given)
  }

  function memberOf(object: Part | Name, key: Part): Part {
    if (!('name' in object) || (object.name !== 'response' && object.name !== 'responses')) {
      const part = asPart(object)
      return createPart({ kind: 'member', object: part.node, key: key.node }, part, key)
    }
    // The id must be written out: only then can a definition be checked when it is saved.
    const { name, at } = object
    if (key.node.kind !== 'literal' || typeof key.node.value !== 'string')
      throw new SyntaxFault(`‘${name}’ needs the id of a component, as in ${name}['mood']`, at)
    return createPart({ kind: name, componentId: key.node.value }, key)
  }

  function parsePrimary(): Part | Name {
    const token = tokens[next]
    if (!token) throw new SyntaxFault(`an expression is missing after ‘${tokens[next - 1]?.text}’`, end)
    if (isNext('(')) return parseGroup()
    if (isNext('[')) {
      const items = parseList(']')
      return createPart({ kind: 'list', items: items.map(({ node }) => node) }, ...items)
    }
    if (token.kind === 'mark') throw new SyntaxFault(missingBefore(token), token.at)
    next += 1
    if (token.kind === 'string') return createPart({ kind: 'literal', value: unescaped(token.text) })
    if (token.kind === 'name')
      return Object.hasOwn(literals, token.text)
        ? createPart({ kind: 'literal', value: literals[token.text] ?? null })
        : { name: token.text, at: token.at }
    const value = Number(token.text)
    if (!Number.isFinite(value)) throw new SyntaxFault(`${token.text} is too large`, token.at)
    return createPart({ kind: 'literal', value })
  }

  function parseGroup(): Part | Name {
    openBracket()
    if (isNext(')')) throw new SyntaxFault('the parentheses are empty', tokens[next]?.at ?? end)
    const inner = parseChoice()
    expect(')', 'a ‘)’ is missing')
    openBrackets -= 1
    return inner
  }

  function parseList(close: string): Part[] {
    openBracket()
    const items: Part[] = []
    while (!isNext(close) || items.length > 0) {
      items.push(asPart(parseChoice()))
      if (!isNext(',')) break
      next += 1
    }
    expect(close, `a ‘${close}’ is missing`)
    openBrackets -= 1
    return items
  }

  function openBracket(): void {
    openBrackets += 1
    if (openBrackets > maxNesting) throw new SyntaxFault(tooDeep, tokens[next]?.at ?? end)
    next += 1
  }

  function asPart(given: Part | Name): Part {
    if ('node' in given) return given
    const { name, at } = given
    if (name === 'this') throw new SyntaxFault('‘this’ is not part of the expression language', at)
    if (name === 'response' || name === 'responses')
      throw new SyntaxFault(`‘${name}’ needs a component: ${name}.mood or ${name}['mood']`, at)
    const fact = factNamed(name)
    return createPart(fact ? { kind: 'fact', name: fact } : { kind: 'variable', name })
  }

  const root = asPart(parseChoice())
  const left = tokens[next]
  if (left) throw new SyntaxFault(messageAt(left, `unexpected ‘${left.text}’`), left.at)
  return root.node
}

/** The message for an unexpected token after a complete expression. */
function messageAt(token: Token | undefined, otherwise: string): string {
  if (token && token.kind !== 'mark') return `an operator or a comma is missing before ‘${token.text}’`
  return token?.text === ',' ? 'a single expression is expected' : otherwise
}

const missingBefore = ({ text }: Token): string =>
  Object.hasOwn(precedence, text) || text === '?'
    ? `‘${text}’ needs a value on its left`
    : `a value is missing before ‘${text}’`

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

const unescaped = (quoted: string): string =>
  quoted.slice(1, -1).replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character)
