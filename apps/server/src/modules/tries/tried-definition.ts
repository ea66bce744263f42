import {
  type Agent,
  anyRole,
  type ExperimentDefinition,
  groupSizeOf,
  limits,
  rolesOfPeople,
  type State,
  scriptedProvider,
  speedUp,
  stageOf,
  startOfTry,
  type TryBody,
  type WrittenDefinition,
} from '@atrium/contract'

export type TryOptions = Pick<TryBody, 'speed' | 'startAt' | 'fill'>

/** A person has to see what is happening, however fast. */
const minMs = 2_000

/** TR1: what is played when somebody tries a definition. Everything else is as in the study. */
export function triedDefinition(
  written: WrittenDefinition,
  { speed = 1, startAt, fill = false }: TryOptions,
): WrittenDefinition {
  const { recruiting: _site, agentBudget: _budget, agents, completion, ...kept } = written
  const { redirectUrl: _redirect, ...ending } = completion ?? {}
  const parts = written.stages ?? [written]
  const filled = fill && parts.some((part) => groupSizeOf(part).max > 1)
  const seated = [...(agents ?? []).map(withoutModel), ...(filled ? [extra(written)] : [])]
  const { stages } = written
  const tried: WrittenDefinition = {
    ...kept,
    ...triedPart(written, filled),
    ...(stages && { stages: stages.map((stage) => ({ ...stage, ...triedPart(stage, filled) })) }),
    listed: false,
    access: 'anyone',
    capacity: limits.tryParticipants,
    completion: { ...ending, allowRepeat: true },
    ...(seated.length > 0 && { agents: seated }),
  }
  const quick = speed === 1 ? tried : speedUp(tried, speed, minMs)
  return startAt === undefined ? quick : startedAt(quick, startAt)
}

/** Filled with agents only where there are others. */
const triedPart = (part: Pick<WrittenDefinition, 'matching'>, filled: boolean) =>
  part.matching && { matching: triedMatching(part.matching, filled && groupSizeOf(part).max > 1) }

/** TR2: with the stages before it left out, if there are any. */
function startedAt(definition: WrittenDefinition, startAt: string): WrittenDefinition {
  const { states, stages = [] } = definition
  const startIn = (all: State[]): State[] => [startState(startAt), ...all]
  if (states) return { ...definition, states: startIn(states) }
  const [first, ...others] = stages.slice(
    stages.findIndex((one) => one.states.some(({ id }) => id === startAt)),
  )
  if (!first) return definition
  const { when: _always, ...played } = first
  return { ...definition, stages: [{ ...played, states: startIn(first.states) }, ...others] }
}

type Matching = NonNullable<WrittenDefinition['matching']>

/** Nobody here has the attributes that filters and parts of a group ask for, and the same person sits in every pane. */
function triedMatching(
  { filters: _filters, exclusions: _exclusions, balance: _balance, compose: _compose, ...matching }: Matching,
  filled: boolean,
): Matching {
  return filled ? { ...matching, deadlineMs: 1, onDeadline: 'fill_with_agent' } : matching
}

/** Nothing that people write in a try is sent anywhere, and nobody pays for it. */
function withoutModel(agent: Agent): Agent {
  const { credentialId: _credential, sampling: _sampling, price: _price, budget: _budget, ...kept } = agent
  return { ...kept, provider: scriptedProvider }
}

/** Takes any seat that is left; its responses are drawn. */
const extra = ({ agents = [] }: WrittenDefinition): Agent => ({
  id: unusedId('try-agent', agents),
  name: 'Agent',
  provider: scriptedProvider,
  fills: true,
  instructions: '',
})

/** Over at once, and from there the flow is that of the study. */
const startState = (startAt: string): State => ({
  id: startOfTry,
  components: [],
  end: { on: 'condition', when: 'true' },
  next: [{ to: startAt }],
})

function unusedId(wanted: string, taken: readonly { id: string }[]): string {
  const isTaken = (id: string) => taken.some((one) => one.id === id)
  let number = 1
  while (isTaken(number === 1 ? wanted : `${wanted}-${number}`)) number += 1
  return number === 1 ? wanted : `${wanted}-${number}`
}

const maxPanes = 8

/** TR4: as many as any stage needs; the roles are those of the first, because people get those of later stages when they meet. */
export function seatsOf(tried: WrittenDefinition, options: TryOptions): { role: string }[] {
  const stages = (tried.stages ?? [null]).map((stage) =>
    seatsInStage(stageOf(tried, stage?.id ?? null), options),
  )
  const [first = []] = stages
  const most = Math.max(...stages.map(({ length }) => length))
  return [...first, ...new Array<{ role: string }>(most - first.length).fill({ role: anyRole })]
}

/** Every role once; without agents in the other seats, as many people as a group needs. */
function seatsInStage(definition: ExperimentDefinition, { fill = false }: TryOptions): { role: string }[] {
  const roles = rolesOfPeople(definition)
  const { min, max } = groupSizeOf(definition)
  const isAlone = max === 1
  const wanted = roles.flatMap(({ id, min }) =>
    new Array<string>(isAlone || fill ? 1 : Math.max(1, min)).fill(id),
  )
  // More roles than seats: a role that need not be there may be missing in a room, but can be looked at alone.
  const fitting = isAlone || fill ? wanted : wanted.slice(0, max)
  const needed = isAlone || fill ? 1 : min
  const others = new Array<string>(Math.max(0, needed - fitting.length)).fill(anyRole)
  return [...fitting, ...others].slice(0, maxPanes).map((role) => ({ role }))
}
