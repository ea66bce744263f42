import type { Variable } from '@atrium/contract'
import { type Expression, parseExpression } from '../expressions/expression.ts'
import { nodesIn } from '../expressions/syntax.ts'

/** A computed variable: always equal to its expression. */
interface Computation {
  name: string
  scope: 'room' | 'participant'
  expression: Expression
}

/** Nobody could follow a deeper chain. Definitions with one are refused, so the order of a saved definition is complete. */
export const deepestComputation = 50
const mostCircles = 20

interface OrderedComputations {
  /** Each variable after those that it reads. */
  order: Computation[]
  /** Names in the order in which each reads the next, and the last reads the first. */
  circles: string[][]
  /** The longest chain of computed variables that read each other; counted up to one more than allowed. */
  depth: number
}

export function orderComputations(variables: ReadonlyMap<string, Variable>): OrderedComputations {
  const waiting = new Map<string, Computation>()
  for (const [name, { compute, scope = 'room' }] of variables) {
    const parsed = typeof compute === 'string' ? parseExpression(compute) : undefined
    if (parsed?.ok) waiting.set(name, { name, scope, expression: parsed.expression })
  }
  const sources = new Map([...waiting].map(([name, { expression }]) => [name, variablesIn(expression)]))
  const ordered: OrderedComputations = { order: [], circles: [], depth: 0 }
  while (waiting.size > 0 && ordered.depth <= deepestComputation && ordered.circles.length < mostCircles) {
    const isFree = ({ name }: Computation) => !sources.get(name)?.some((source) => waiting.has(source))
    const free = [...waiting.values()].filter(isFree)
    const circle = free.length === 0 ? circleAmong(waiting, sources) : []
    for (const name of [...circle, ...free.map((computation) => computation.name)]) waiting.delete(name)
    if (circle.length > 0) ordered.circles.push(circle)
    else ordered.depth += 1
    ordered.order.push(...free)
  }
  return ordered
}

/** Every remaining variable reads another remaining one, so following them must lead into a circle. */
function circleAmong(
  waiting: ReadonlyMap<string, Computation>,
  sources: ReadonlyMap<string, readonly string[]>,
): string[] {
  const trail: string[] = []
  const placeOf = new Map<string, number>()
  let [name] = waiting.keys()
  while (name !== undefined && !placeOf.has(name)) {
    placeOf.set(name, trail.length)
    trail.push(name)
    name = sources.get(name)?.find((source) => waiting.has(source))
  }
  return trail.slice(placeOf.get(name ?? '') ?? 0)
}

const variablesIn = ({ root }: Expression): string[] =>
  [...nodesIn(root)].flatMap((node) => (node.kind === 'variable' ? [node.name] : []))
