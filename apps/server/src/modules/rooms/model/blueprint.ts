import {
  type ExperimentDefinition,
  initialExpressionOf,
  inLanguage,
  languagesOf,
  type Payment,
  type State,
  variableOf,
} from '@atrium/contract'
import { payoffVariablesOf } from '@atrium/contract/components'
import {
  createValueFormats,
  type Expression,
  hasInserts,
  type Template,
  type Value,
  type ValueFormats,
} from '@atrium/expressions'
import { pacingOf } from '@atrium/flow'
import { LRUCache } from 'lru-cache'
import { type BlocksBlueprint, compileBlocks } from './blocks-blueprint.ts'
import { compileExpression, createExpressions } from './compiled-expression.ts'
import { type ComponentBlueprint, compileGlobal, type GlobalBlueprint } from './component-blueprint.ts'
import { conditionTextsOf } from './condition-texts.ts'
import { type Medium, mediaOf } from './medium.ts'
import { metadataRead } from './metadata-read.ts'
import { createTemplates, type PlacedOnPage } from './placed-inserts.ts'
import { compilePage, compileState, type StateBlueprint } from './state-blueprint.ts'
import { readsOfExpression, type TextReads } from './text-reads.ts'
import { compileLimits, type LimitsBlueprint } from './time-limits.ts'
import { compileTrials, type TrialsBlueprint } from './trials-blueprint.ts'

/** Who plays a stage: everybody where `when` is null. */
interface StageBlueprint {
  id: string
  when: Expression | null
}

/** A definition prepared for play: expressions parsed, schemas compiled, lookups by id. */
export interface Blueprint {
  definition: ExperimentDefinition
  /** What it takes in memory, in characters of the definition, in all its languages. */
  weight: number
  /** Whether everyone moves together or at their own pace. */
  pacing: 'room' | 'participant'
  /** By id; compiled when they are first asked for. */
  states: { get(stateId: string): StateBlueprint | undefined }
  globals: readonly GlobalBlueprint[]
  variables: ReadonlyMap<string, VariableBlueprint>
  /** Names of the computed variables, by scope. */
  computed: Record<'room' | 'participant', readonly string[]>
  /** Fields of the join metadata that the study reads. */
  metadata: readonly string[]
  /** Variables whose values are recorded when a participant's part ends. */
  payoffs: readonly string[]
  payment: Payment | undefined
  /** What may play in step in a state. */
  media(state: StateBlueprint): readonly Medium<ComponentBlueprint>[]
  blocks: BlocksBlueprint
  trials: TrialsBlueprint
  limits: LimitsBlueprint
  /** R68: all of the study, in order; empty where there is only one. */
  stages: readonly StageBlueprint[]
  dropout: { policy: 'wait' | 'continue' | 'replace_with_agent' | 'end'; graceMs: number }
  /** The same with the texts of another language of the experiment; of the first where it does not have this one. */
  inLanguage(language: string | undefined): Blueprint
  /** Whether any text shows values, or what is shown depends on some. */
  hasInserts: boolean
  /** Found when a page is first compared, by state and role. */
  placedOnPages: WeakMap<StateBlueprint, Map<string | null, PlacedOnPage>>
  /** A text that shows values, parsed; null for any other. */
  templateOf(text: string): Template | null
  /** The expression in a setting, parsed. */
  expressionOf(text: string): Expression
  /** What a value in a text, or a condition, is made of. */
  readsOf(expression: Expression): TextReads
  /** RM180: whether texts for this role show the name of the condition. */
  showsCondition(role: string): boolean
  /** How values are written in its language. */
  valueFormats(): ValueFormats
}

interface VariableBlueprint {
  scope: 'room' | 'participant'
  initial: Value
  /** Evaluated once instead, for the room or for each participant. */
  initialExpression: Expression | null
  compute: Expression | null
  isSecret: boolean
}

/** Long enough for a network failure or a reload, short enough not to bore the others. */
const defaultGraceMs = 60_000

/** Of the states that are kept in other languages than the first: at most some 10 MiB of memory for one definition. */
const maxSpokenWeight = 2_097_152
/** What a component takes in memory in addition to its text, in characters. Measured: 800 bytes. */
const weightOfComponent = 400

/**
 * Compiles a definition as it was written: with its texts in all its languages. States are compiled when somebody enters them;
 * in other languages only their texts, and only the newest are kept.
 */
export function compileBlueprint(written: ExperimentDefinition): Blueprint {
  const [first, ...otherLanguages] = languagesOf(written)
  const { states: writtenStates, globalComponents, ...others } = written
  const pages = JSON.stringify([writtenStates, globalComponents])
  const components = writtenStates.reduce((sum, state) => sum + state.components.length, 0)
  const inFirst = compileIn(first, inLanguage(written), {
    inLanguage: inOneLanguage,
    hasInserts: hasInserts(pages) || /"(?:when|from)":/.test(pages),
    showsCondition: conditionTextsOf(written),
    weight: pages.length + JSON.stringify(others).length + components * weightOfComponent,
  })
  const spoken = new Map<string, Blueprint>()
  const states = new LRUCache<string, StateBlueprint>({
    maxSize: maxSpokenWeight,
    sizeCalculation: ({ characters, components }) => characters + components.length * weightOfComponent,
  })
  function inOneLanguage(wanted: string | undefined): Blueprint {
    if (wanted === undefined || !otherLanguages.includes(wanted)) return inFirst
    const known = spoken.get(wanted)
    if (known) return known
    const blueprint = translate(inFirst, written, wanted, states)
    spoken.set(wanted, blueprint)
    return blueprint
  }
  return inFirst
}

/** The blueprint with the texts of another language. */
function translate(
  inFirst: Blueprint,
  written: ExperimentDefinition,
  language: string,
  cache: LRUCache<string, StateBlueprint>,
): Blueprint {
  const { roles, globalComponents = [] } = inLanguage({ ...written, states: [] }, language)
  const writtenStates = new Map(written.states.map((state) => [state.id, state]))
  let formats: ValueFormats | undefined
  return {
    ...inFirst,
    definition: { ...inFirst.definition, ...(roles && { roles }) },
    globals: globalComponents.map((component) => compileGlobal(component, inFirst.templateOf)),
    valueFormats() {
      formats ??= createValueFormats(language)
      return formats
    },
    states: {
      get(stateId) {
        const key = `${language} ${stateId}`
        const known = cache.get(key)
        if (known) return known
        const found = writtenStates.get(stateId)
        const rules = inFirst.states.get(stateId)
        if (!found || !rules) return undefined
        const [state = found] = inLanguage(
          { ...written, states: [found], globalComponents: [] },
          language,
        ).states
        const { endsWhen, transitions, onTimeout, onEnter, onEnd, rewire } = rules
        const page = compilePage(state, inFirst.templateOf)
        const translated = Object.assign(page, { endsWhen, transitions, onTimeout, onEnter, onEnd, rewire })
        cache.set(key, translated)
        return translated
      },
    },
  }
}

function compileIn(
  language: string,
  definition: ExperimentDefinition,
  whole: Pick<Blueprint, 'inLanguage' | 'hasInserts' | 'weight' | 'showsCondition'>,
): Blueprint {
  const variables = new Map(
    Object.entries(definition.variables ?? {}).map(([name, declared]) => [name, compileVariable(declared)]),
  )
  const computedOf = (scope: VariableBlueprint['scope']): string[] =>
    [...variables].flatMap(([name, one]) => (one.compute && one.scope === scope ? [name] : []))
  const templateOf = createTemplates()
  const globals = (definition.globalComponents ?? []).map((component) => compileGlobal(component, templateOf))
  const media = new Map<StateBlueprint, readonly Medium<ComponentBlueprint>[]>()
  const reads = new Map<string, TextReads>()
  let valueFormats: ValueFormats | undefined
  return {
    ...whole,
    templateOf,
    expressionOf: createExpressions(),
    readsOf(expression) {
      const known =
        reads.get(expression.text) ?? readsOfExpression(expression, variables, definition.completion?.payment)
      reads.set(expression.text, known)
      return known
    },
    valueFormats() {
      valueFormats ??= createValueFormats(language)
      return valueFormats
    },
    definition,
    pacing: pacingOf(definition),
    states: compiledWhenNeeded(definition.states, (state) => compileState(state, templateOf)),
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
    metadata: metadataRead(definition),
    payoffs: payoffVariablesOf(definition),
    payment: definition.completion?.payment,
    blocks: compileBlocks(definition),
    trials: compileTrials(definition),
    limits: compileLimits(definition),
    stages: (definition.stages ?? []).map(({ id, when }) => ({
      id,
      when: when === undefined ? null : compileExpression(when),
    })),
    placedOnPages: new WeakMap(),
    dropout: {
      policy: definition.dropout?.policy ?? 'wait',
      graceMs: definition.dropout?.graceMs ?? defaultGraceMs,
    },
  }
}

function compiledWhenNeeded(
  states: readonly State[],
  compile: (state: State) => StateBlueprint,
): Blueprint['states'] {
  const waiting = new Map(states.map((state) => [state.id, state]))
  const compiled = new Map<string, StateBlueprint>()
  return {
    get(stateId) {
      const known = compiled.get(stateId)
      const state = waiting.get(stateId)
      if (known || !state) return known
      const blueprint = compile(state)
      compiled.set(stateId, blueprint)
      waiting.delete(stateId)
      return blueprint
    },
  }
}

function compileVariable(declared: unknown): VariableBlueprint {
  const { scope, initial, compute, secret } = variableOf(declared)
  const expression = initialExpressionOf(initial)
  return {
    scope: scope ?? 'room',
    initial: expression === undefined ? ((initial ?? null) as Value) : null,
    initialExpression: expression === undefined ? null : compileExpression(expression),
    compute: compute === undefined ? null : compileExpression(compute),
    isSecret: secret ?? false,
  }
}
