import {
  type Agent,
  type ExperimentDefinition,
  limits,
  type PilotBody,
  scriptedProvider,
  usesModel,
  type ValidationIssue,
} from '@atrium/contract'
import { assignRoles, largestGroup, matchingSettingsOf, takesAny } from '../../matching/index.ts'
import type { AgentSeat } from '../../rooms/index.ts'

export interface PilotPlan {
  /** The given agents first, so that a path into them is a path into the request. */
  personas: Agent[]
  /** The seats that people would have. */
  seats: AgentSeat[]
  /** Mediators included. */
  agentsPerRoom: number
}

/** Where an agent takes part, as opposed to who it is. */
const placement = ['role', 'seats', 'fills', 'replaces', 'mediates', 'speaks', 'sees'] as const

/** Quick, because nobody watches; enough to keep the order of a conversation. */
const standInPacing = { thinkMs: 100, thinkSpreadMs: 200, charactersPerSecond: 1_000, lullMs: 2_000 }

/** Who sits where in each room of a pilot: the largest group of the study, and the agents of its own. */
export function planPilot(definition: ExperimentDefinition, { agents: given }: PilotBody): PilotPlan {
  const own = definition.agents ?? []
  const replacing = (given ?? []).map((agent) =>
    inPlaceOf(
      own.find(({ id }) => id === agent.id),
      agent,
    ),
  )
  const kept = own.filter(({ id }) => !replacing.some((agent) => agent.id === id))
  const personas = [...replacing, ...kept]
  const roles = rolesOfPeople(definition)
  const { seats, standIn } = seatPersonas(roles, candidates(given ? replacing : kept, given !== undefined), [
    ...personas.map(({ id }) => id),
  ])
  const taken = new Set(seats.map(({ agentId }) => agentId))
  const all = [...personas, ...(standIn ? [standIn] : [])].map((agent) =>
    // What tells the checks of a definition that it sits with the others.
    taken.has(agent.id) ? { ...agent, fills: true } : agent,
  )
  const ofTheirOwn = all.reduce((sum, { seats = 0, mediates }) => sum + seats + (mediates ? 1 : 0), 0)
  return { personas: all, seats, agentsPerRoom: seats.length + ofTheirOwn }
}

function inPlaceOf(own: Agent | undefined, given: Agent): Agent {
  if (!own) return given
  const place = Object.fromEntries(
    placement.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])),
  )
  return { ...place, ...given }
}

/** The roles of a group as large as the study allows. */
function rolesOfPeople(definition: ExperimentDefinition): string[] {
  const settings = matchingSettingsOf(definition)
  return assignRoles(
    Array.from({ length: largestGroup(settings) }, () => takesAny),
    settings.roles,
  )
}

/** Who may sit for people: of given agents all without seats of their own; of the study's, those made for it. */
function candidates(agents: readonly Agent[], areGiven: boolean): Agent[] {
  const seatable = agents.filter(({ mediates }) => mediates === undefined)
  const free = seatable.filter(({ seats = 0, fills, replaces }) =>
    areGiven ? seats === 0 : fills || replaces,
  )
  return free.length > 0 || !areGiven ? free : seatable
}

/** In turn, so that every persona plays; a scripted stand-in sits where none fits. */
function seatPersonas(
  roles: readonly string[],
  personas: readonly Agent[],
  known: readonly string[],
): { seats: Required<AgentSeat>[]; standIn: Agent | undefined } {
  const stand = standInNamed(known)
  const seated = new Map<string, number>()
  const seats = roles.map((role) => {
    const fitting = personas.filter((one) => one.role === undefined || one.role === role)
    const [next = stand] = fitting.toSorted(
      (one, other) => (seated.get(one.id) ?? 0) - (seated.get(other.id) ?? 0),
    )
    seated.set(next.id, (seated.get(next.id) ?? 0) + 1)
    return { role, agentId: next.id }
  })
  return { seats, standIn: seated.has(stand.id) ? stand : undefined }
}

function standInNamed(known: readonly string[]): Agent {
  let id = 'stand_in'
  for (let number = 2; known.includes(id); number++) id = `stand_in_${number}`
  return {
    id,
    name: 'Stand-in',
    provider: scriptedProvider,
    instructions: '',
    fallback: 'default',
    pacing: standInPacing,
  }
}

/** Each agent in each room gets the same share, so that no two instances have to agree on what is left. */
export function shareBudget(plan: PilotPlan, { rooms, budget }: PilotBody): PilotPlan {
  if (!budget) return plan
  const agents = rooms * plan.agentsPerRoom
  const min = (one: number | undefined, other: number | undefined) =>
    one === undefined ? other : other === undefined ? one : Math.min(one, other)
  const share = (total: number | undefined) => (total === undefined ? undefined : Math.floor(total / agents))
  const personas = plan.personas.map((agent) => {
    const turns = min(agent.budget?.turns, share(budget.turns))
    const tokens = min(agent.budget?.tokens, share(budget.tokens))
    const ofMoney = budget.money === undefined || !agent.price ? undefined : budget.money / agents
    const money = min(agent.budget?.money, ofMoney)
    return {
      ...agent,
      budget: {
        ...(turns === undefined ? {} : { turns }),
        ...(tokens === undefined ? {} : { tokens }),
        ...(money === undefined ? {} : { money }),
      },
    }
  })
  return { ...plan, personas }
}

/** What is wrong with the request as a whole. Its agents are checked as those of a definition. */
export function pilotIssues(plan: PilotPlan, { rooms, budget }: PilotBody): ValidationIssue[] {
  const agents = rooms * plan.agentsPerRoom
  const max = limits.pilotAgents
  const tooSmall = (['turns', 'tokens'] as const).filter((name) => (budget?.[name] ?? Infinity) < agents)
  const unpriced = plan.personas.filter((agent) => usesModel(agent) && !agent.price)
  return [
    ...(agents > max
      ? [{ path: '/rooms', message: `there would be ${agents} agents in all rooms; the limit is ${max}` }]
      : []),
    ...tooSmall.map((name) => ({
      path: `/budget/${name}`,
      message: `must be at least ${agents}: it is shared by ${agents} agents in all rooms`,
    })),
    ...(budget?.money !== undefined && unpriced.length > 0
      ? [
          {
            path: '/budget/money',
            message: `requires ‘price’ of every agent that uses a model; ‘${unpriced[0]?.id}’ has none`,
          },
        ]
      : []),
  ]
}
