import { type Agent, pacingOf } from './agents.ts'
import type { ExperimentDefinition } from './definition.ts'

type State = ExperimentDefinition['states'][number]

/** Connections are real at any speed: with less than this, a bot that is merely slow to connect would be a drop-out. */
const minGraceMs = 5_000
/** Of the first state, where they connect, if its deadline is there only for people who do nothing. */
const minFirstDeadlineMs = 30_000

/**
 * The same experiment with all its durations divided: deadlines, waits, reading times, media and positions in them, and
 * what its agents need to think and to type.
 * `minMs`: nothing becomes shorter than this, unless it is already, for people who must be able to follow.
 */
export function speedUp(definition: ExperimentDefinition, speed: number, minMs = 0): ExperimentDefinition {
  const divided = (ms: number): number => Math.max(Math.ceil(ms / speed), Math.min(minMs, ms))
  const dividedAtFirst = (ms: number): number => Math.max(divided(ms), Math.min(minFirstDeadlineMs, ms))
  const { matching, dropout, consent, globalComponents, agents, blocks, timeLimit } = definition
  const inComponent = <Component extends object>(component: Component): Component =>
    quickenFields(component, divided)
  return {
    ...definition,
    states: definition.states.map((state, index) => ({
      ...quickenEnd(state, index === 0 && state.end?.on === 'all_responded' ? dividedAtFirst : divided),
      components: state.components.map(inComponent),
    })),
    ...(timeLimit && { timeLimit: quickenFields(timeLimit, divided) }),
    ...(blocks && {
      blocks: blocks.map(({ timeLimit: limit, ...block }) => ({
        ...block,
        ...(limit && { timeLimit: quickenFields(limit, divided) }),
      })),
    }),
    ...(globalComponents && { globalComponents: globalComponents.map(inComponent) }),
    ...(agents && { agents: agents.map((agent) => speedUpAgent(agent, speed)) }),
    ...(matching && { matching: quickenFields(matching, divided) }),
    ...(consent && { consent: quickenFields(consent, divided) }),
    ...(dropout?.graceMs !== undefined && {
      dropout: {
        ...dropout,
        graceMs: Math.max(divided(dropout.graceMs), Math.min(minGraceMs, dropout.graceMs)),
      },
    }),
  }
}

const quickenEnd = (state: State, divided: (ms: number) => number): State =>
  state.end ? { ...state, end: quickenFields(state.end, divided) } : state

const times = ['afterMs', 'perPersonMs', 'deadlineMs', 'minReadMs', 'durationMs', 'atMs']

/** Only fields of the object itself: what a researcher keeps deeper down is theirs. */
function quickenFields<Part extends object>(part: Part, divided: (ms: number) => number): Part {
  const changed = Object.entries(part).flatMap(([name, value]): [string, unknown][] => {
    if (!times.includes(name)) return []
    if (typeof value === 'number') return [[name, divided(value)]]
    // Two positions in a video may become one.
    return Array.isArray(value) ? [[name, [...new Set(value.map((ms) => divided(Number(ms))))]]] : []
  })
  return { ...part, ...Object.fromEntries(changed) }
}

/** The definition allows neither a shorter silence nor faster typing. */
const minSilenceMs = 1_000
const maxCharactersPerSecond = 10_000

/** The same agent, whose thinking, typing and silences take less time. */
export function speedUpAgent(agent: Agent, speed: number): Agent {
  const { thinkMs, thinkSpreadMs, charactersPerSecond, lullMs } = pacingOf(agent)
  const divided = (ms: number): number => Math.ceil(ms / speed)
  const silence = (ms: number): number => Math.max(Math.min(ms, minSilenceMs), divided(ms))
  const { speaks } = agent
  return {
    ...agent,
    pacing: {
      ...agent.pacing,
      thinkMs: divided(thinkMs),
      thinkSpreadMs: divided(thinkSpreadMs),
      charactersPerSecond: Math.min(charactersPerSecond * speed, maxCharactersPerSecond),
      lullMs: silence(lullMs),
    },
    ...(speaks?.on === 'lull' && { speaks: { ...speaks, afterMs: silence(speaks.afterMs) } }),
  }
}
