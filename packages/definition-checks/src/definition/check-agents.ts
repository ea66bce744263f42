import type { ValidationIssue } from '@atrium/contract'
import {
  type Agent,
  anyRole,
  canTakeRole,
  type ExperimentDefinition,
  groupSizeOf,
  limits,
  roleIdsOf,
  scriptedProvider,
} from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import { placedComponents } from '../components/references.ts'
import { unanswerable } from './check-agent-components.ts'

type At = (field: string) => string

/** R43: agents that could not take part as the definition says, each with its path. */
export function checkAgents(definition: ExperimentDefinition): ValidationIssue[] {
  const { agents = [] } = definition
  return [
    ...policiesOfAgents(definition),
    ...duplicates(agents),
    ...agents.flatMap((agent, index) => {
      const at: At = (field) => `/agents/${index}${field}`
      return [
        ...providerIssues(agent, at),
        ...referenceIssues(agent, definition, at),
        ...mediatorIssues(agent, definition, at),
        ...moneyIssues(agent, at),
        ...consentIssues(agent, definition, at),
      ]
    }),
    ...unpriced(definition),
    ...tooManySeats(definition),
    ...rolesOfSeats(definition),
    ...unanswerable(definition),
  ]
}

/** X35: nobody would take the seat, and the others would wait in vain or play with a seat empty. */
function policiesOfAgents(definition: ExperimentDefinition): ValidationIssue[] {
  const { matching, dropout, agents = [], roles = [] } = definition
  const filling = agents.filter(({ fills }) => fills)
  const unfilled = roles.flatMap((role) =>
    typeof role === 'object' && (role.min ?? 0) > 0 && !filling.some((agent) => canTakeRole(agent, role.id))
      ? [role.id]
      : [],
  )
  const path = '/matching/onDeadline'
  const isFilled = matching?.onDeadline === 'fill_with_agent'
  return [
    ...(isFilled && filling.length === 0
      ? [issue(path, '‘fill_with_agent’ needs an agent with ‘fills: true’')]
      : []),
    ...(isFilled && filling.length > 0
      ? unfilled.map((id) =>
          issue(
            path,
            `‘fill_with_agent’ needs an agent with ‘fills: true’ for the role ‘${id}’, or for any role`,
          ),
        )
      : []),
    ...(dropout?.policy === 'replace_with_agent' && !agents.some(({ replaces }) => replaces)
      ? [issue('/dropout/policy', '‘replace_with_agent’ needs an agent with ‘replaces: true’')]
      : []),
  ]
}

function duplicates(agents: readonly Agent[]): ValidationIssue[] {
  const first = new Map<string, number>()
  return agents.flatMap(({ id }, index) => {
    if (first.has(id)) return [issue(`/agents/${index}/id`, `duplicate agent id ‘${id}’`)]
    first.set(id, index)
    return []
  })
}

function providerIssues({ credentialId, provider, script }: Agent, at: At): ValidationIssue[] {
  return [
    ...(credentialId === undefined && provider === undefined
      ? [issue(at(''), `needs ‘credentialId’, or ‘provider: "${scriptedProvider}"’`)]
      : []),
    ...(credentialId !== undefined && provider !== undefined
      ? [issue(at('/provider'), 'cannot be combined with ‘credentialId’; use one of them')]
      : []),
    ...(script !== undefined && provider === undefined
      ? [issue(at('/script'), `is only for ‘provider: "${scriptedProvider}"’`)]
      : []),
  ]
}

function referenceIssues(
  { role, script = [], sees = [] }: Agent,
  definition: ExperimentDefinition,
  at: At,
): ValidationIssue[] {
  const { states, variables = {} } = definition
  const known = new Set(states.map(({ id }) => id))
  return [
    ...(role === undefined || role === anyRole || roleIdsOf(definition).includes(role)
      ? []
      : [issue(at('/role'), `role ‘${role}’ does not exist`)]),
    ...script.flatMap(({ state }, index) =>
      state === undefined || known.has(state)
        ? []
        : [issue(at(`/script/${index}/state`), `state ‘${state}’ does not exist`)],
    ),
    ...sees.flatMap((name, index) =>
      Object.hasOwn(variables, name)
        ? []
        : [issue(at(`/sees/${index}`), `variable ‘${name}’ does not exist`)],
    ),
  ]
}

/** What only agents with a seat have. */
const seated = ['seats', 'fills', 'replaces', 'role'] as const
/** What only mediators have. */
const mediating = ['speaks', 'sees'] as const

function mediatorIssues(agent: Agent, definition: ExperimentDefinition, at: At): ValidationIssue[] {
  const { mediates } = agent
  if (!mediates)
    return mediating
      .filter((name) => agent[name] !== undefined)
      .map((name) => issue(at(`/${name}`), 'is only for agents with ‘mediates’'))
  const chats = new Set(
    placedComponents(definition).flatMap(({ component: { id, type } }) =>
      componentTypeOf(String(type)).takesMessages ? [id] : [],
    ),
  )
  return [
    ...(/^(p\d+|researcher)$/i.test(agent.name)
      ? [issue(at('/name'), 'would be mistaken for a participant or the researcher; choose another name')]
      : []),
    ...seated
      .filter((name) => agent[name])
      .map((name) => issue(at(`/${name}`), 'cannot be combined with ‘mediates’: a mediator takes no seat')),
    ...mediates.flatMap((id, index) => [
      ...(chats.has(id) ? [] : [issue(at(`/mediates/${index}`), `there is no chat ‘${id}’`)]),
      ...(mediates.indexOf(id) < index
        ? [issue(at(`/mediates/${index}`), `‘${id}’ is already in the list`)]
        : []),
    ]),
  ]
}

const moneyIssues = ({ budget, price }: Agent, at: At): ValidationIssue[] =>
  budget?.money !== undefined && price === undefined
    ? [issue(at('/budget/money'), 'requires ‘price’; without it the cost is unknown')]
    : []

/** The sum over all rooms would leave out what such an agent costs. */
function unpriced({ agents = [], agentBudget }: ExperimentDefinition): ValidationIssue[] {
  if (agentBudget?.money === undefined) return []
  const [first] = agents.filter(({ credentialId, price }) => credentialId !== undefined && !price)
  return first
    ? [
        issue(
          '/agentBudget/money',
          `requires ‘price’ of every agent that uses a model; ‘${first.id}’ has none`,
        ),
      ]
    : []
}

const consentIssues = (agent: Agent, { consent }: ExperimentDefinition, at: At): ValidationIssue[] =>
  agent.credentialId !== undefined && consent?.sendsTextToModels !== true
    ? [
        issue(
          at('/credentialId'),
          'what participants write would be sent to a language model; tell them so in the consent text, and set consent.sendsTextToModels to true',
        ),
      ]
    : []

/** A room is as large as its group and the agents that sit in it from the start. */
function tooManySeats(definition: ExperimentDefinition): ValidationIssue[] {
  const limit = limits.definition.groupSize
  const ofAgents = (definition.agents ?? []).reduce((sum, { seats = 0 }) => sum + seats, 0)
  const { max } = groupSizeOf(definition)
  return ofAgents > 0 && ofAgents + max > limit
    ? [
        issue(
          '/agents',
          `a room would have ${ofAgents + max} seats: ${max} of people and ${ofAgents} of agents; the limit is ${limit}`,
        ),
      ]
    : []
}

/** Agents take places that their roles must have. */
function rolesOfSeats(definition: ExperimentDefinition): ValidationIssue[] {
  const { agents = [], roles = [] } = definition
  return roles.flatMap((role, index) => {
    if (typeof role === 'string' || role.max === undefined) return []
    const taken = agents.reduce((sum, agent) => sum + (agent.role === role.id ? (agent.seats ?? 0) : 0), 0)
    return taken > role.max
      ? [
          issue(
            `/roles/${index}/max`,
            `agents take ${taken} seats of role ‘${role.id}’, which has ${role.max}`,
          ),
        ]
      : []
  })
}

const issue = (path: string, message: string): ValidationIssue => ({ path, message })
