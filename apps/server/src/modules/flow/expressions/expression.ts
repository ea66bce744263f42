import { binaryOperatorNamed, factNamed, type SyntaxNode, unaryOperatorNamed } from './syntax.ts'
import { readTokens, type Token } from './tokens.ts'

export interface Expression {
  readonly text: string
  readonly root: SyntaxNode
}

export type ParsedExpression =
  | { ok: true; expression: Expression }
  | { ok: false; message: string; at: number }

const longestText = 2_000
const mostNodes = 500
const deepestNesting = 50
const tooDeep = `it is nested deeper than ${deepestNesting} levels`

/** Parses an expression. `at` counts characters from 0. */
export function parseExpression(text: string): ParsedExpression {
  if (text.length > longestText)
    return { ok: false, message: `it is longer than ${longestText} characters`, at: longestText }
  const read = readTokens(text)
  if ('misread' in read) return { ok: false, ...read.misread }
  if (read.tokens.length === 0) return { ok: false, message: 'it is empty', at: 0 }
  try {
    return { ok: true, expression: { text, root: parseTokens(read.tokens, text.length) } }
  } catch (error) {
    if (error instanceof Fault) return { ok: false, message: error.message, at: error.at }
    throw error
  }
}

/** A syntax error and its position. Researchers write expressions, so this is an expected outcome. */
class Fault extends Error {
  readonly at: number
  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** A parsed part and its depth. */
interface Part {
  node: SyntaxNode
  depth: number
}

/** A name whose meaning depends on what follows: a function, a source of responses, or a variable. */
interface Name {
  name: string
  at: number
}

/** From the lowest to the highest precedence. */
const operatorLevels = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '%']]
const precedence: Readonly<Record<string, number>> = Object.fromEntries(
  operatorLevels.flatMap((operators, index) => operators.map((operator) => [operator, index + 1])),
)
const literals: Readonly<Record<string, true | false | null>> = { true: true, false: false, null: null }

/**
 * Precedence climbing, with the precedences of JavaScript. Recursion is bounded: brackets by `deepestNesting`, the rest by
 * the length of the text.
 */
function parseTokens(tokens: readonly Token[], end: number): SyntaxNode {
  let next = 0
  let openBrackets = 0
  let nodes = 0

  const isNext = (text: string): boolean => tokens[next]?.kind === 'mark' && tokens[next]?.text === text

  function expect(text: string, message: string): void {
    if (!isNext(text)) throw new Fault(messageAt(tokens[next], message), tokens[next]?.at ?? end)
    next += 1
  }

  function made(node: SyntaxNode, ...within: Part[]): Part {
    nodes += 1
    const depth = within.reduce((deepest, part) => Math.max(deepest, part.depth), 0) + 1
    if (depth > deepestNesting) throw new Fault(tooDeep, 0)
    if (nodes > mostNodes) throw new Fault(`it has more than ${mostNodes} parts`, 0)
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
    return made({ kind: 'choice', test: tested.node, yes: yes.node, no: no.node }, tested, yes, no)
  }

  function parseBinary(lowest: number): Part | Name {
    let left = parseUnary()
    for (;;) {
      const token = tokens[next]
      const binds = token?.kind === 'mark' ? (precedence[token.text] ?? 0) : 0
      const operator = token && binaryOperatorNamed(token.text)
      if (binds < lowest || !operator) return left
      next += 1
      const right = asPart(parseBinary(binds + 1))
      const first = asPart(left)
      left = made({ kind: 'binary', operator, left: first.node, right: right.node }, first, right)
    }
  }

  function parseUnary(): Part | Name {
    const token = tokens[next]
    const operator = token?.kind === 'mark' ? unaryOperatorNamed(token.text) : undefined
    if (!operator) return parsePostfix()
    next += 1
    const argument = asPart(parseUnary())
    return made({ kind: 'unary', operator, argument: argument.node }, argument)
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
    if (token?.kind !== 'name') throw new Fault('a name is missing after the dot', token?.at ?? end)
    next += 1
    return { node: { kind: 'literal', value: token.text }, depth: 0 }
  }

  function parseComputedKey(): Part {
    const [key, ...more] = parseList(']')
    const { at = end } = tokens[next - 1] ?? {}
    if (!key) throw new Fault('the brackets are empty', at)
    if (more.length > 0) throw new Fault('the brackets must contain a single expression', at)
    return key
  }

  function parseCall(called: Part | Name, at: number): Part {
    if (!('name' in called) || called.name === 'this') throw new Fault('only functions can be called', at)
    const given = parseList(')')
    return made({ kind: 'call', name: called.name, arguments: given.map(({ node }) => node) }, ...given)
  }

  function memberOf(object: Part | Name, key: Part): Part {
    if (!('name' in object) || (object.name !== 'response' && object.name !== 'responses')) {
      const part = asPart(object)
      return made({ kind: 'member', object: part.node, key: key.node }, part, key)
    }
    // The id must be written out: only then can a definition be checked when it is saved.
    const { name, at } = object
    if (key.node.kind !== 'literal' || typeof key.node.value !== 'string')
      throw new Fault(`‘${name}’ needs the id of a component, as in ${name}['mood']`, at)
    return made({ kind: name, componentId: key.node.value }, key)
  }

  function parsePrimary(): Part | Name {
    const token = tokens[next]
    if (!token) throw new Fault(`an expression is missing after ‘${tokens[next - 1]?.text}’`, end)
    if (isNext('(')) return parseGroup()
    if (isNext('[')) {
      const items = parseList(']')
      return made({ kind: 'list', items: items.map(({ node }) => node) }, ...items)
    }
    if (token.kind === 'mark') throw new Fault(missingBefore(token), token.at)
    next += 1
    if (token.kind === 'string') return made({ kind: 'literal', value: unescaped(token.text) })
    if (token.kind === 'name')
      return Object.hasOwn(literals, token.text)
        ? made({ kind: 'literal', value: literals[token.text] ?? null })
        : { name: token.text, at: token.at }
    const value = Number(token.text)
    if (!Number.isFinite(value)) throw new Fault(`${token.text} is too large`, token.at)
    return made({ kind: 'literal', value })
  }

  function parseGroup(): Part | Name {
    openBracket()
    if (isNext(')')) throw new Fault('the parentheses are empty', tokens[next]?.at ?? end)
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
    if (openBrackets > deepestNesting) throw new Fault(tooDeep, tokens[next]?.at ?? end)
    next += 1
  }

  function asPart(given: Part | Name): Part {
    if ('node' in given) return given
    const { name, at } = given
    if (name === 'this') throw new Fault('‘this’ is not part of the expression language', at)
    if (name === 'response' || name === 'responses')
      throw new Fault(`‘${name}’ needs a component: ${name}.mood or ${name}['mood']`, at)
    const fact = factNamed(name)
    return made(fact ? { kind: 'fact', name: fact } : { kind: 'variable', name })
  }

  const root = asPart(parseChoice())
  const left = tokens[next]
  if (left) throw new Fault(messageAt(left, `unexpected ‘${left.text}’`), left.at)
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
