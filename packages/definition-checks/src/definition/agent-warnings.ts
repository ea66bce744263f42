import type { ValidationIssue } from '@atrium/contract'
import {
  type Agent,
  canTakeRole,
  type ExperimentDefinition,
  pacingOf,
  roleIdsOf,
  takesSeats,
} from '@atrium/contract'

/** What runs, but probably not as intended. */
export function agentWarnings(definition: ExperimentDefinition): ValidationIssue[] {
  const { agents = [] } = definition
  const componentsIn = componentsByState(definition)
  return [
    ...agents.flatMap((agent, index) => {
      const path = `/agents/${index}`
      return [
        ...withoutPart(agent, path),
        ...withoutOccasion(agent, definition, path),
        ...tooFewReplies(agent, path),
        ...answersToNothing(agent, componentsIn, path),
      ]
    }),
    ...rolesNobodyReplaces(definition),
    ...silentConsent(definition),
  ]
}

const withoutPart = (agent: Agent, path: string): ValidationIssue[] =>
  takesSeats(agent) || agent.mediates
    ? []
    : [
        issue(
          path,
          `agent ‘${agent.id}’ does not take part; give it ‘seats’, ‘fills’, ‘replaces’ or ‘mediates’`,
        ),
      ]

/** Pilots seat such agents all the same, so this is no error. */
const withoutOccasion = (
  { fills, replaces }: Agent,
  { matching, dropout }: ExperimentDefinition,
  path: string,
): ValidationIssue[] => [
  ...(fills && matching?.onDeadline !== 'fill_with_agent'
    ? [issue(`${path}/fills`, 'fills no seat unless matching.onDeadline is ‘fill_with_agent’')]
    : []),
  ...(replaces && dropout?.policy !== 'replace_with_agent'
    ? [issue(`${path}/replaces`, 'replaces nobody unless dropout.policy is ‘replace_with_agent’')]
    : []),
]

function tooFewReplies(agent: Agent, path: string): ValidationIssue[] {
  const { minMessages, maxReplies } = pacingOf(agent)
  return takesSeats(agent) && minMessages > maxReplies
    ? [
        issue(
          `${path}/pacing/minMessages`,
          `is greater than ‘maxReplies’, so the agent continues after ${messages(maxReplies)}`,
        ),
      ]
    : []
}

const messages = (count: number): string => `${count} message${count === 1 ? '' : 's'}`

/** The ids of the components of each state, and of all states for `undefined`. */
function componentsByState({ agents = [], states, globalComponents = [] }: ExperimentDefinition) {
  const byState = new Map<string | undefined, ReadonlySet<string>>()
  // Most definitions have no scripts, and some have thousands of components.
  if (!agents.some(({ script }) => script)) return byState
  for (const state of states) {
    const shown = globalComponents.filter((component) => component.states?.includes(state.id) ?? true)
    byState.set(state.id, new Set([...state.components, ...shown].map(({ id }) => id)))
  }
  const everywhere = [...states.flatMap(({ components }) => components), ...globalComponents]
  return byState.set(undefined, new Set(everywhere.map(({ id }) => id)))
}

/** A state that does not exist is an error already. */
const answersToNothing = (
  { script = [] }: Agent,
  componentsIn: ReturnType<typeof componentsByState>,
  path: string,
): ValidationIssue[] =>
  script.flatMap(({ state, answers = {} }, index) => {
    const known = componentsIn.get(state)
    const unknown = known ? Object.keys(answers).filter((id) => !known.has(id)) : []
    const where = state === undefined ? 'in any state' : `in state ‘${state}’`
    return unknown.map((id) =>
      issue(
        `${path}/script/${index}/answers`,
        `there is no component ‘${id}’ ${where}; this answer is never given`,
      ),
    )
  })

function rolesNobodyReplaces(definition: ExperimentDefinition): ValidationIssue[] {
  const replacing = (definition.agents ?? []).filter(({ replaces }) => replaces)
  const roles = roleIdsOf(definition).filter((id) => !replacing.some((agent) => canTakeRole(agent, id)))
  return definition.dropout?.policy === 'replace_with_agent' && replacing.length > 0 && roles.length > 0
    ? [
        issue(
          '/dropout/policy',
          `no agent with ‘replaces’ can take the role ${roles.map((id) => `‘${id}’`).join(', ')}; such a seat stays empty`,
        ),
      ]
    : []
}

const silentConsent = ({ consent }: ExperimentDefinition): ValidationIssue[] =>
  consent?.sendsTextToModels && !consent.text?.trim()
    ? [
        issue(
          '/consent/sendsTextToModels',
          'nobody would be told that a language model reads what they write; say so in consent.text',
        ),
      ]
    : []

const issue = (path: string, message: string): ValidationIssue => ({ path, message })
