import {
  anyRole,
  type Component,
  changeComponentTexts,
  conditionNamesOf,
  type ExperimentDefinition,
  escapeMarkdown,
  groupSizeOf,
  initialExpressionOf,
  inLanguage,
  isForRole,
  oneLine,
  type RoomSnapshot,
  type StateView,
  variableOf,
} from '@atrium/contract'
import { isForEach, judgedEntries, publicComponent } from '@atrium/contract/components'
import { enteredSource, nodesIn, parseExpression } from '@atrium/expressions'

interface Asked {
  definition: ExperimentDefinition
  /** Index of the state. */
  at: number
  /** Null for everyone: all components are shown. */
  role: string | null
}

/** A room as a participant would see it there, with sample values; undefined if there is no such state. */
export function previewOf({ definition: written, at, role }: Asked, now: number): RoomSnapshot | undefined {
  const definition = inLanguage(written)
  const state = definition.states[at]
  if (!state) return undefined
  const variables = Object.fromEntries(
    Object.entries(definition.variables ?? {}).map(([name, declared]) => [name, sampleOf(declared)]),
  )
  const isSeen = (part: { roles?: readonly string[] }) => role === null || isForRole(part, role)
  const { max } = groupSizeOf(definition)
  const others = Array.from({ length: Math.min(max - 1, 20) }, (_, index) => `P${index + 2}`)
  const settled = (component: Component, values: Readonly<Record<string, unknown>>) =>
    judgedEntries(
      changeComponentTexts(component, (text, { format }) => filled(text, values, format)),
      conditionOf,
    )
  const shown = (component: Component) => {
    const when = component.when === undefined ? true : conditionOf(component.when)
    const { forEach: _, ...aboutOne } = component
    const targets = others.map((alias) => ({
      alias,
      component: settled(aboutOne, { ...variables, 'each.alias': alias }),
    }))
    const whole = { ...settled(component, variables), ...(isForEach(component) && { targets }) }
    return { ...publicComponent(whole), ...(when !== true && { when }) }
  }
  const isWaiting = !isSeen(state)
  const { end = { on: 'button' } } = state
  const shownState: StateView = {
    id: state.id,
    name: state.name === undefined ? null : String(filled(state.name, variables)),
    instructions:
      state.instructions === undefined ? null : String(filled(state.instructions, variables, 'markdown')),
    // Another state is another visit: what was entered in one is not shown in the next.
    visit: at,
    round: null,
    rounds: null,
    enteredAt: now,
    deadlineAt: end.afterMs === undefined ? null : now + end.afterMs,
    endsOn: end.on,
    buttonLabel: 'label' in end && end.label !== undefined ? end.label : null,
    components: isWaiting ? [] : state.components.filter(isSeen).map(shown),
    isWaiting,
  }
  return {
    roomId: 'preview',
    experimentId: 'preview',
    seq: 0,
    serverTime: now,
    status: 'running',
    condition: conditionNamesOf(definition)[0] ?? null,
    self: {
      participantId: 'preview',
      alias: 'P1',
      role: role ?? anyRole,
      status: 'active',
      outcome: null,
      ready: false,
      responses: {},
      results: {},
      variables: {},
    },
    others: others.map((alias) => ({
      alias,
      role: anyRole,
      status: 'active' as const,
      presence: 'connected' as const,
      ready: false,
    })),
    state: shownState,
    globalComponents: (definition.globalComponents ?? [])
      .filter((component) => isSeen(component) && (component.states?.includes(state.id) ?? true))
      .map(shown),
    variables,
    messages: [],
    progress: { done: at, of: definition.states.length },
  }
}

/** R61: what depends on the answers of the same page comes and goes as for participants; what depends on values is shown. */
function conditionOf(when: unknown): Record<string, unknown> | true {
  const parsed = typeof when === 'string' ? parseExpression(when) : undefined
  if (!parsed?.ok) return true
  const { root } = parsed.expression
  const isEntered = [...nodesIn(root)].every((node) =>
    node.kind === 'variable'
      ? node.name === enteredSource
      : !['fact', 'response', 'responses'].includes(node.kind),
  )
  return isEntered ? { ...root } : true
}

const sampleOf = (declared: unknown): unknown => {
  const { initial } = variableOf(declared)
  return initialExpressionOf(initial) === undefined ? (initial ?? null) : null
}

/**
 * Names of variables are replaced by their first values; expressions stay as they are written. As in a room, values are text: a model
 * may have drafted them, and a picture in one would be loaded from wherever it says.
 */
function filled(text: unknown, variables: Readonly<Record<string, unknown>>, format = 'plain'): unknown {
  if (typeof text !== 'string') return text
  const shown = format === 'markdown' ? escapeMarkdown : oneLine
  return text.replaceAll(/\{\{\s*((?:each\.)?[A-Za-z_]\w*)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? shown(String(variables[name] ?? '…')) : whole,
  )
}
