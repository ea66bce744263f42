import { endOfExperiment, type State } from '@atrium/contract'
import { type Expression, hasInserts, parseExpression } from '@atrium/expressions'
import { type ComponentBlueprint, compileComponent } from './component-blueprint.ts'
import { insertsOfState, type PlacedInsert, type TemplateOf } from './placed-inserts.ts'

export interface StateBlueprint {
  state: State
  components: readonly ComponentBlueprint[]
  /** Whether its texts, or those of its components, show values. */
  hasInserts: boolean
  /** The values in its own texts, without those of its components. */
  inserts: readonly PlacedInsert[]
  /** As JSON, with its components. */
  characters: number
  endsWhen: Expression | null
  transitions: readonly TransitionBlueprint[]
  /** R57: where its deadline leads; null when it leads where any other end does. */
  onTimeout: { to: string; outcome: string | null } | null
  onEnter: readonly Assignment[]
  onEnd: readonly Assignment[]
}

interface TransitionBlueprint {
  key: string
  to: string
  when: Expression | null
  atMost: number | null
  /** The outcome for participants who take it; null for SUCCESS. */
  outcome: string | null
}

export interface Assignment {
  variable: string
  value: Expression
}

/** What participants see of a state. */
export function compilePage(state: State, templateOf: TemplateOf) {
  const text = JSON.stringify(state)
  let inserts: readonly PlacedInsert[] | undefined
  return {
    state,
    components: state.components.map((component) => compileComponent(component, templateOf)),
    hasInserts: hasInserts(text),
    characters: text.length,
    get inserts() {
      inserts ??= insertsOfState(state, templateOf)
      return inserts
    },
  }
}

export const compileState = (state: State, templateOf: TemplateOf): StateBlueprint =>
  Object.assign(compilePage(state, templateOf), {
    endsWhen: state.end?.on === 'condition' ? compileExpression(state.end.when) : null,
    transitions: (state.next ?? []).map(({ to, when, atMost, outcome }, index) => ({
      key: `${state.id}/${index}`,
      to,
      when: when === undefined ? null : compileExpression(when),
      atMost: atMost ?? null,
      outcome: outcome ?? null,
    })),
    onTimeout: state.end?.onTimeout
      ? {
          to: state.end.onTimeout.to ?? endOfExperiment,
          outcome: state.end.onTimeout.outcome ?? null,
        }
      : null,
    onEnter: compileAssignments(state.onEnter),
    onEnd: compileAssignments(state.onEnd),
  })

const compileAssignments = (assignments: Record<string, string> | undefined): Assignment[] =>
  Object.entries(assignments ?? {}).map(([variable, text]) => ({ variable, value: compileExpression(text) }))

/**
 * Parsed when it is first evaluated: a definition may have 150 KB of expressions, and parsing all of them takes 80 ms.
 * Definitions are checked when they are saved, so one that does not parse here was never saved by this server.
 */
export function compileExpression(text: string): Expression {
  let root: Expression['root'] | undefined
  return {
    text,
    get root() {
      root ??= rootOf(text)
      return root
    },
  }
}

function rootOf(text: string): Expression['root'] {
  const parsed = parseExpression(text)
  if (!parsed.ok)
    throw new Error(`a stored definition has an expression that does not parse: ${parsed.message}`)
  return parsed.expression.root
}
