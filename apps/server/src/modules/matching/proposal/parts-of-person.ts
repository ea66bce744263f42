import { identifyingParameters } from '@atrium/contract'
import {
  boundedWork,
  type Expression,
  evaluate,
  isTruthy,
  parseExpression,
  type Scope,
  type Value,
} from '@atrium/expressions'
import { valueInLink } from '../../../kernel/value-in-link.ts'
import type { MatchingSettings } from '../matching-settings.ts'

/** What a person is known by: what they answered in earlier stages. */
export type PersonVariables = Readonly<Record<string, Value>>

/** What deciding the parts of one person may cost, all together: a few milliseconds. */
const workPerPerson = 20_000

/** M24: for which parts of a group somebody fits, as bits. Prepared once for everybody. */
export function createPartsOf(
  compose: MatchingSettings['compose'],
): (metadata: Readonly<Record<string, unknown>>, variables: PersonVariables) => number {
  const parts = compose.map(({ when }): Expression | undefined => {
    const parsed = parseExpression(when)
    return parsed.ok ? parsed.expression : undefined
  })
  return (metadata, variables) => {
    const scope = scopeOf(metadata, variables)
    const work = boundedWork(workPerPerson)
    return parts.reduce(
      (bits, when, part) =>
        when && isTruthy(evaluate(when, scope, work)) && work.left >= 0 ? bits | (1 << part) : bits,
      0,
    )
  }
}

/** Nothing but the person: there is no room yet. */
function scopeOf(metadata: Readonly<Record<string, unknown>>, variables: PersonVariables): Scope {
  const ofPerson = (name: string) => (Object.hasOwn(variables, name) ? variables[name] : undefined)
  return {
    variable: ofPerson,
    response: () => undefined,
    responses: () => [],
    field(source, name) {
      if (source !== 'metadata' || ofPerson(source) !== undefined) return undefined
      const isReadable = Object.hasOwn(metadata, name) && !identifyingParameters.has(name)
      return (isReadable ? valueInLink(metadata[name]) : undefined) ?? null
    },
    facts: { role: null, condition: null, round: null, visit: 0, state: '', participants: 0, ready: 0 },
  }
}
