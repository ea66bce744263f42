import {
  type Component,
  type ComponentType,
  type ComponentView,
  componentTypeOf,
  type ExperimentDefinition,
  endOfExperiment,
  groupSizeOf,
  inLanguage,
  isRequired,
  issuesOf,
  languagesOf,
  payoffVariablesOf,
  publicComponent,
  responseSchemaOf,
  type State,
  type ValidationIssue,
  variableOf,
} from '@atrium/contract'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  createValueFormats,
  type Expression,
  hasInserts,
  parseExpression,
  parseTemplate,
  type Template,
  type Value,
  type ValueFormats,
} from '../../flow/index.ts'
import { type Medium, mediaOf } from './medium.ts'

/** A definition prepared for play: expressions parsed, schemas compiled, lookups by id. */
export interface Blueprint {
  definition: ExperimentDefinition
  /** Whether everyone moves together or at their own pace. */
  pacing: 'room' | 'participant'
  states: ReadonlyMap<string, StateBlueprint>
  globals: readonly (ComponentBlueprint & { states: readonly string[] | undefined })[]
  variables: ReadonlyMap<string, VariableBlueprint>
  /** Names of the computed variables, by scope. */
  computed: Record<'room' | 'participant', readonly string[]>
  /** Variables whose values are recorded when a participant's part ends. */
  payoffs: readonly string[]
  /** What may play in step in a state. */
  media(state: StateBlueprint): readonly Medium<ComponentBlueprint>[]
  dropout: { policy: 'wait' | 'continue' | 'replace_with_agent' | 'end'; graceMs: number }
  /** The same with the texts of another language of the experiment; of the first where it does not have this one. */
  inLanguage(language: string | undefined): Blueprint
  /** Whether any text shows values. */
  hasInserts: boolean
  /** A text that shows values, parsed; null for any other. */
  templateOf(text: string): Template | null
  /** How values are written in its language. */
  valueFormats(): ValueFormats
}

export interface StateBlueprint {
  state: State
  components: readonly ComponentBlueprint[]
  /** Whether its texts, or those of its components, show values. */
  hasInserts: boolean
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

export interface ComponentBlueprint {
  component: Component
  type: ComponentType
  view: ComponentView
  /** Whether its texts may show values. */
  hasInserts: boolean
  isRequired: boolean
  /** Of its responses; null when it takes none. */
  responseSchema: TSchema | null
  issues(value: unknown): ValidationIssue[]
}

interface VariableBlueprint {
  scope: 'room' | 'participant'
  initial: Value
  compute: Expression | null
  isSecret: boolean
}

export interface Assignment {
  variable: string
  value: Expression
}

/** Long enough for a network failure or a reload, short enough not to bore the others. */
const defaultGraceMs = 60_000

/** Compiles a definition as it was written: with its texts in all its languages. */
export function compileBlueprint(written: ExperimentDefinition): Blueprint {
  const [first, ...others] = languagesOf(written)
  const compiled = new Map<string, Blueprint>()
  function inOneLanguage(wanted: string | undefined): Blueprint {
    const language = wanted !== undefined && others.includes(wanted) ? wanted : first
    const known = compiled.get(language)
    if (known) return known
    const blueprint = compileIn(language, inLanguage(written, language), inOneLanguage)
    compiled.set(language, blueprint)
    return blueprint
  }
  return inOneLanguage(first)
}

function compileIn(
  language: string,
  definition: ExperimentDefinition,
  inOneLanguage: Blueprint['inLanguage'],
): Blueprint {
  const isGroup = groupSizeOf(definition).max > 1 || definition.agents?.some(({ seats = 0 }) => seats > 0)
  const variables = new Map(
    Object.entries(definition.variables ?? {}).map(([name, declared]) => [name, compileVariable(declared)]),
  )
  const computedOf = (scope: VariableBlueprint['scope']): string[] =>
    [...variables].flatMap(([name, one]) => (one.compute && one.scope === scope ? [name] : []))
  const globals = (definition.globalComponents ?? []).map((component) => ({
    ...compileComponent(component),
    states: component.states,
  }))
  const media = new Map<StateBlueprint, readonly Medium<ComponentBlueprint>[]>()
  const templates = new Map<string, Template | null>()
  let valueFormats: ValueFormats | undefined
  return {
    inLanguage: inOneLanguage,
    hasInserts: hasInserts(JSON.stringify([definition.states, definition.globalComponents])),
    templateOf(text) {
      if (!hasInserts(text)) return null
      const known = templates.get(text)
      if (known !== undefined) return known
      // Stored before texts could show values, if it does not parse: then it is shown as it is.
      const parsed = parseTemplate(text)
      const template = parsed.ok ? parsed.template : null
      templates.set(text, template)
      return template
    },
    valueFormats() {
      valueFormats ??= createValueFormats(language)
      return valueFormats
    },
    definition,
    pacing: definition.pacing ?? (isGroup ? 'room' : 'participant'),
    states: new Map(definition.states.map((state) => [state.id, compileState(state)])),
    globals,
    media(state) {
      const known = media.get(state)
      if (known) return known
      const shown = globals.filter(({ states }) => states?.includes(state.state.id) ?? true)
      const found = mediaOf(state.components, shown)
      media.set(state, found)
      return found
    },
    variables,
    computed: { room: computedOf('room'), participant: computedOf('participant') },
    payoffs: payoffVariablesOf(definition),
    dropout: {
      policy: definition.dropout?.policy ?? 'wait',
      graceMs: definition.dropout?.graceMs ?? defaultGraceMs,
    },
  }
}

function compileState(state: State): StateBlueprint {
  return {
    state,
    components: state.components.map(compileComponent),
    hasInserts: hasInserts(JSON.stringify(state)),
    endsWhen: state.end?.on === 'condition' ? compiled(state.end.when) : null,
    transitions: (state.next ?? []).map(({ to, when, atMost, outcome }, index) => ({
      key: `${state.id}/${index}`,
      to,
      when: when === undefined ? null : compiled(when),
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
  }
}

const compileAssignments = (assignments: Record<string, string> | undefined): Assignment[] =>
  Object.entries(assignments ?? {}).map(([variable, text]) => ({ variable, value: compiled(text) }))

/** Compiled at the first response: a definition may have ten thousand components, and compiling all of them takes a second. */
function compileComponent(component: Component): ComponentBlueprint {
  let checker: ReturnType<typeof Compile> | null | undefined
  let view: ComponentView | undefined
  let schema: TSchema | null | undefined
  const schemaOnce = (): TSchema | null => {
    schema ??= responseSchemaOf(component) ?? null
    return schema
  }
  return {
    component,
    type: componentTypeOf(component.type),
    get view() {
      view ??= publicComponent(component)
      return view
    },
    hasInserts: hasInserts(JSON.stringify(component)),
    isRequired: isRequired(component),
    get responseSchema() {
      return schemaOnce()
    },
    issues(value) {
      if (checker === undefined) {
        const schema = schemaOnce()
        checker = schema ? Compile(schema) : null
      }
      return checker
        ? issuesOf(checker, value)
        : [{ path: '', message: 'this component does not accept responses' }]
    },
  }
}

function compileVariable(declared: unknown): VariableBlueprint {
  const { scope, initial, compute, secret } = variableOf(declared)
  return {
    scope: scope ?? 'room',
    initial: (initial ?? null) as Value,
    compute: compute === undefined ? null : compiled(compute),
    isSecret: secret ?? false,
  }
}

/**
 * Parsed when it is first evaluated: a definition may have 150 KB of expressions, and parsing all of them takes 80 ms.
 * Definitions are checked when they are saved, so one that does not parse here was never saved by this server.
 */
function compiled(text: string): Expression {
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
