import { evaluate, type Scope } from '../evaluate.ts'
import { parseExpression } from '../expression.ts'
import type { Value } from '../value.ts'
import type { Work } from '../work.ts'

const variables: Record<string, Value> = {
  a: 2,
  b: 3,
  text: 'abc',
  list: [3, 1, 2],
  nested: { inner: { deep: 7 }, __proto__x: 1 },
  yes: true,
}

/** A participant in the middle of an experiment. */
export const scope: Scope = {
  variable: (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined),
  response: (id) => (id === 'mood' ? 40 : id === 'some id' ? 'here' : undefined),
  responses: (id) => (id === 'contribution' ? [5, 10, 0] : []),
  facts: { role: 'buyer', condition: null, round: 2, visit: 4, state: 'offer', participants: 3, ready: 1 },
}

export function valueOfText(text: string, within: Scope = scope, work?: Work): Value {
  const parsed = parseExpression(text)
  if (!parsed.ok) throw new Error(`${text}: ${parsed.message} at ${parsed.at}`)
  return evaluate(parsed.expression, within, work)
}
