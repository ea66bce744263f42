import type { ValidationIssue } from '@atrium/contract'
import {
  type Agent,
  anyRole,
  type ExperimentDefinition,
  isForRole,
  roleIdsOf,
  takesSeats,
} from '@atrium/contract'
import type { Settings } from '@atrium/contract/components'
import { componentTypeOf } from '@atrium/contract/components'

/** R43: what an agent would be asked in its seat but cannot answer. One issue per component, with the first such agent. */
export function unanswerable(definition: ExperimentDefinition): ValidationIssue[] {
  const agents = (definition.agents ?? []).filter(takesSeats)
  if (agents.length === 0) return []
  const seats = agents.map((agent) => ({ agent, roles: rolesOf(agent, definition) }))
  const seesAll = (things: readonly Audience[]) =>
    seats.find(({ roles }) => roles.some((role) => things.every((thing) => isForRole(thing, role))))?.agent
  const check = (component: Settings, path: string, things: readonly Audience[]): ValidationIssue[] => {
    const reason = whyNot(component)
    const agent = reason === null ? undefined : seesAll(things)
    return agent ? [{ path, message: sentence(agent, component, reason ?? '') }] : []
  }
  return [
    ...definition.states.flatMap((state, at) =>
      state.components.flatMap((component, index) =>
        check(component, `/states/${at}/components/${index}`, [state, component]),
      ),
    ),
    ...(definition.globalComponents ?? []).flatMap((component, index) =>
      check(component, `/globalComponents/${index}`, [component]),
    ),
  ]
}

interface Audience {
  roles?: readonly string[]
}

/** Without a role, a seat may get any of them. */
const rolesOf = ({ role }: Agent, definition: ExperimentDefinition): string[] =>
  role === undefined ? [anyRole, ...roleIdsOf(definition)] : [role]

/** Null if agents can answer it, or nobody is asked anything. */
function whyNot(component: Settings): string | null {
  const { responds, asks, agentsCannot } = componentTypeOf(String(component.type))
  return responds !== 'none' && asks(component) ? agentsCannot : null
}

const sentence = (agent: Agent, { id, type }: Settings, reason: string): string =>
  `agent ‘${agent.id}’ cannot answer ‘${id}’ (${type}): ${reason}. Show it only to roles that no agent takes`
