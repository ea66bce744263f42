import { assertNever } from '@atrium/contract'
import { drawFunctions } from './draws.ts'
import { functions, type Parameter, type StaticType } from './functions.ts'
import type { FactName, SyntaxNode } from './syntax.ts'
import type { Value } from './value.ts'

const typeOfFact: Record<FactName, StaticType> = {
  role: 'text',
  condition: 'text',
  state: 'text',
  round: 'number',
  visit: 'number',
  participants: 'number',
  ready: 'number',
}

const withoutArticle: readonly StaticType[] = ['null', 'text']
const withArticle = (type: StaticType): string =>
  withoutArticle.includes(type) ? type : type === 'object' ? `an ${type}` : `a ${type}`

const accepted: Record<Parameter, readonly StaticType[]> = {
  number: ['number'],
  numbers: ['number', 'list'],
  text: ['text'],
  list: ['list'],
  'list or text': ['list', 'text'],
  sized: ['list', 'text', 'object'],
  object: ['object'],
  anything: ['number', 'text', 'boolean', 'null', 'list', 'object'],
}

const namedParameter: Record<Parameter, string> = {
  number: 'a number',
  numbers: 'numbers',
  text: 'text',
  list: 'a list',
  'list or text': 'a list or text',
  sized: 'a list, text or an object',
  object: 'an object',
  anything: 'anything',
}

/** Type errors that are certain, whatever the variables and responses contain. */
export function typeIssues(root: SyntaxNode): string[] {
  const issues: string[] = []
  inferType(root, (sentence) => issues.push(sentence))
  return issues
}

/** What it certainly gives; `unknown` where that depends on values. */
export const staticTypeOf = (root: SyntaxNode): StaticType => inferType(root, () => undefined)

type Report = (sentence: string) => void

function inferType(node: SyntaxNode, report: Report): StaticType {
  switch (node.kind) {
    case 'literal':
      return typeOfLiteral(node.value)
    case 'list':
      for (const item of node.items) inferType(item, report)
      return 'list'
    case 'fact':
      return typeOfFact[node.name]
    case 'variable':
    case 'response':
      return 'unknown'
    case 'responses':
      return 'list'
    case 'member':
      return inferMember(node, report)
    case 'unary': {
      const type = inferType(node.argument, report)
      if (node.operator === '!') return 'boolean'
      if (!isOneOf(type, ['number'])) report(`‘-’ needs a number, not ${withArticle(type)}`)
      return 'number'
    }
    case 'binary':
      return inferBinary(node, report)
    case 'choice':
      inferType(node.test, report)
      return sameOrUnknown(inferType(node.yes, report), inferType(node.no, report))
    case 'call':
      return inferCall(node, report)
    default:
      return assertNever(node)
  }
}

function typeOfLiteral(value: Value): StaticType {
  if (value === null) return 'null'
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : 'object'
  if (typeof value === 'string') return 'text'
  return typeof value === 'number' ? 'number' : 'boolean'
}

const isOneOf = (type: StaticType, types: readonly StaticType[]): boolean =>
  type === 'unknown' || types.includes(type)

const sameOrUnknown = (a: StaticType, b: StaticType): StaticType => (a === b ? a : 'unknown')

function inferMember(node: Extract<SyntaxNode, { kind: 'member' }>, report: Report): StaticType {
  // The factors of a condition are read with a dot, although the condition itself is text.
  if (node.object.kind === 'fact' && node.object.name === 'condition') return 'unknown'
  const object = inferType(node.object, report)
  const key = inferType(node.key, report)
  if (!isOneOf(object, ['list', 'object'])) report(`${withArticle(object)} has no items or fields`)
  else if (object === 'list' && !isOneOf(key, ['number']))
    report('use a number from 0 to access an item of a list, and length(list) for its size')
  else if (!isOneOf(key, ['number', 'text'])) report(`${withArticle(key)} cannot be used as an index`)
  return 'unknown'
}

function inferBinary(node: Extract<SyntaxNode, { kind: 'binary' }>, report: Report): StaticType {
  const { operator } = node
  const left = inferType(node.left, report)
  const right = inferType(node.right, report)
  const isCertain = left !== 'unknown' && right !== 'unknown'
  const both = `${withArticle(left)} and ${withArticle(right)}`
  switch (operator) {
    case '&&':
    case '||':
      return sameOrUnknown(left, right)
    case '==':
    case '!=':
      if (isCertain && left !== right && left !== 'null' && right !== 'null')
        report(`‘${operator}’ compares ${both}, which are never equal`)
      return 'boolean'
    case '<':
    case '<=':
    case '>':
    case '>=': {
      const isOrdered = isOneOf(left, ['number', 'text']) && isOneOf(right, ['number', 'text'])
      if (!isOrdered || (isCertain && left !== right))
        report(`‘${operator}’ needs two numbers or two text values, not ${both}`)
      return 'boolean'
    }
    case '+':
      return inferSum(left, right, both, report)
    case '-':
    case '*':
    case '/':
    case '%':
      if (!isOneOf(left, ['number']) || !isOneOf(right, ['number']))
        report(`‘${operator}’ needs numbers, not ${both}`)
      return 'number'
    default:
      return assertNever(operator)
  }
}

function inferSum(left: StaticType, right: StaticType, both: string, report: Report): StaticType {
  const isText = left === 'text' || right === 'text'
  const canBeText = isText || left === 'unknown' || right === 'unknown'
  const fitting: StaticType[] = canBeText ? ['number', 'text', 'boolean'] : ['number']
  if (!isOneOf(left, fitting) || !isOneOf(right, fitting)) report(`‘+’ needs numbers or text, not ${both}`)
  if (isText) return 'text'
  return left === 'number' && right === 'number' ? 'number' : 'unknown'
}

function inferCall(node: Extract<SyntaxNode, { kind: 'call' }>, report: Report): StaticType {
  const given = node.arguments.map((argument) => inferType(argument, report))
  const known = functions.get(node.name) ?? drawFunctions.get(node.name)
  if (!known) return 'unknown'
  for (const [index, type] of given.entries()) {
    const parameter = known.parameters[Math.min(index, known.parameters.length - 1)] ?? 'anything'
    // Either one list or several numbers: a list among several arguments is a mistake.
    const fits = parameter === 'numbers' && given.length > 1 ? (['number'] as const) : accepted[parameter]
    if (!isOneOf(type, fits))
      report(
        `‘${node.name}’ needs ${namedParameter[parameter]}, not ${withArticle(type)}; use ${known.usage}`,
      )
  }
  return known.returns
}
