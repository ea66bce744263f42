import { endOfExperiment, type State } from '@atrium/contract'
import type { Expression } from '@atrium/expressions'
import { compileExpression } from './compiled-expression.ts'
import { type ComponentBlueprint, compileComponent } from './component-blueprint.ts'
import { insertsOfState, type PlacedValue, type TemplateOf } from './placed-inserts.ts'

export interface StateBlueprint {
  state: State
  components: readonly ComponentBlueprint[]
  /** The values in its own texts, without those of its components. */
  inserts: readonly PlacedValue[]
  /** As JSON, with its components. */
  characters: number
  endsWhen: Expression | null
  transitions: readonly TransitionBlueprint[]
  /** R57: where its deadline leads; null when it leads where any other end does. */
  onTimeout: { to: string; outcome: string | null } | null
  onEnter: readonly Assignment[]
  onEnd: readonly Assignment[]
  /** RM251: null where the network stays as it is. */
  rewire: RewiringBlueprint | null
}

interface RewiringBlueprint {
  cut: Expression | null
  join: Expression | null
  isMutual: boolean
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
  const components = state.components.map((component) => compileComponent(component, templateOf))
  let inserts: readonly PlacedValue[] | undefined
  return {
    state,
    components,
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
    rewire: state.rewire ? compileRewiring(state.rewire) : null,
  })

const compileAssignments = (assignments: Record<string, string> | undefined): Assignment[] =>
  Object.entries(assignments ?? {}).map(([variable, text]) => ({ variable, value: compileExpression(text) }))

const compileRewiring = ({ cut, join, mutual }: NonNullable<State['rewire']>): RewiringBlueprint => ({
  cut: cut === undefined ? null : compileExpression(cut),
  join: join === undefined ? null : compileExpression(join),
  isMutual: mutual ?? false,
})
