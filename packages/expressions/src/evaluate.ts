import { assertNever } from '@atrium/contract'
import { drawFunctions } from './draws.ts'
import type { Expression } from './expression.ts'
import { functions } from './functions.ts'
import { fieldReadAt } from './sources.ts'
import type { BinaryOperator, SyntaxNode } from './syntax.ts'
import { areEqual, bounded, finite, isRecord, isTruthy, type Value, valueLimits } from './value.ts'
import { boundedWork, isSpent, spend, type Work } from './work.ts'

/** What an expression can see. */
export interface Scope {
  /** Own participant variable, then room variable. */
  variable(name: string): Value | undefined
  /** Own newest response. */
  response(componentId: string): Value | undefined
  /** Newest responses of the participants in the room, in seat order. */
  responses(componentId: string): Value[]
  /** What is read from a source, as in `self.given`; undefined where there is no such source, which a variable may be called. */
  field?: (source: string, name: string) => Value | undefined
  /** Numbers in [0, 1), where something may be drawn; elsewhere, whatever is drawn is null. */
  draw?: () => number
  facts: {
    role: string | null
    condition: string | null
    round: number | null
    visit: number
    state: string
    /** Active seats. */
    participants: number
    ready: number
  }
}

/**
 * Total: anything unknown, of the wrong type, divided by zero or too large is null. So is everything once the work is spent;
 * the caller must check that.
 */
export const evaluate = (expression: Expression, scope: Scope, work: Work = boundedWork()): Value =>
  isSpent(work) ? null : bounded(valueAt(expression.root, scope, work), work)

function valueAt(node: SyntaxNode, scope: Scope, work: Work): Value {
  if (!spend(work, 1)) return null
  switch (node.kind) {
    case 'literal':
      return node.value
    case 'list':
      return node.items.map((item) => valueAt(item, scope, work))
    case 'fact':
      return scope.facts[node.name]
    case 'variable':
      return scope.variable(node.name) ?? null
    case 'response':
      return scope.response(node.componentId) ?? null
    case 'responses':
      return scope.responses(node.componentId)
    case 'member':
      return (
        fieldAt(node, scope) ?? memberOf(valueAt(node.object, scope, work), valueAt(node.key, scope, work))
      )
    case 'unary': {
      const value = valueAt(node.argument, scope, work)
      if (node.operator === '!') return !isTruthy(value)
      return typeof value === 'number' ? finite(-value) : null
    }
    case 'binary':
      return node.operator === '&&' || node.operator === '||'
        ? shortCircuit(node, node.operator, scope, work)
        : applyBinary(node.operator, valueAt(node.left, scope, work), valueAt(node.right, scope, work), work)
    case 'choice':
      return valueAt(isTruthy(valueAt(node.test, scope, work)) ? node.yes : node.no, scope, work)
    case 'call':
      return callFunction(node.name, node.arguments, scope, work)
    default:
      return assertNever(node)
  }
}

function fieldAt(node: SyntaxNode, { field }: Scope): Value | undefined {
  const read = field && fieldReadAt(node)
  return read && field(read.source, read.name)
}

/** Own keys only: nothing from a prototype is reachable. */
function memberOf(object: Value, key: Value): Value {
  if (Array.isArray(object))
    return typeof key === 'number' && Object.hasOwn(object, key) ? (object[key] ?? null) : null
  return isRecord(object) && typeof key === 'string' && Object.hasOwn(object, key)
    ? (object[key] ?? null)
    : null
}

/** As in JavaScript, the result is the deciding operand, so that `points || 0` supplies a default. */
function shortCircuit(
  { left, right }: { left: SyntaxNode; right: SyntaxNode },
  operator: '&&' | '||',
  scope: Scope,
  work: Work,
): Value {
  const first = valueAt(left, scope, work)
  return isTruthy(first) === (operator === '&&') ? valueAt(right, scope, work) : first
}

function applyBinary(operator: Exclude<BinaryOperator, '&&' | '||'>, a: Value, b: Value, work: Work): Value {
  if (operator === '==') return areEqual(a, b, work)
  if (operator === '!=') return !areEqual(a, b, work)
  if (typeof a === 'number' && typeof b === 'number') return applyToNumbers(operator, a, b)
  // Texts are copied or compared character by character.
  for (const side of [a, b]) if (typeof side === 'string') spend(work, side.length / 32)
  if (operator === '+') return concatenate(a, b)
  return typeof a === 'string' && typeof b === 'string' ? compare(operator, a, b) : null
}

function applyToNumbers(
  operator: Exclude<BinaryOperator, '&&' | '||' | '==' | '!='>,
  a: number,
  b: number,
): Value {
  switch (operator) {
    case '+':
      return finite(a + b)
    case '-':
      return finite(a - b)
    case '*':
      return finite(a * b)
    case '/':
      return finite(a / b)
    case '%':
      return finite(a % b)
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compare(operator, a, b)
    default:
      return assertNever(operator)
  }
}

/** Orders numbers by size and texts by code unit; null for other operators. */
function compare<Ordered extends number | string>(operator: BinaryOperator, a: Ordered, b: Ordered): Value {
  switch (operator) {
    case '<':
      return a < b
    case '<=':
      return a <= b
    case '>':
      return a > b
    case '>=':
      return a >= b
    default:
      return null
  }
}

/** Concatenates texts; a number or a boolean next to a text is converted. */
function concatenate(a: Value, b: Value): string | null {
  if (typeof a !== 'string' && typeof b !== 'string') return null
  if (typeof a === 'object' || typeof b === 'object') return null
  const text = `${a}${b}`
  return text.length > valueLimits.textLength ? null : text
}

function callFunction(name: string, given: readonly SyntaxNode[], scope: Scope, work: Work): Value {
  const { draw } = scope
  const known = functions.get(name)
  const drawn = draw && drawFunctions.get(name)
  const form = known ?? drawn
  if (!form || given.length < form.minArguments || given.length > form.maxArguments) return null
  const values = given.map((argument) => valueAt(argument, scope, work))
  return drawn ? drawn.run(work, draw, ...values) : (known?.run(work, ...values) ?? null)
}
