import { type Agent, pacingOf } from './agents.ts'
import type { WrittenDefinition } from './definition.ts'
import type { State } from './state.ts'

/** Connections are real at any speed: with less than this, a bot that is merely slow to connect would be a drop-out. */
const minGraceMs = 5_000
/** Of the first state, where they connect, if its deadline is there only for people who do nothing. */
const minFirstDeadlineMs = 30_000

/**
 * The same experiment with all its durations divided: deadlines, waits, reading times, media and positions in them, and
 * what its agents need to think and to type.
 * `minMs`: nothing becomes shorter than this, unless it is already, for people who must be able to follow.
 */
export function speedUp<Definition extends WrittenDefinition>(
  definition: Definition,
  speed: number,
  minMs = 0,
): Definition {
  const divided = (ms: number): number => Math.max(Math.ceil(ms / speed), Math.min(minMs, ms))
  const { stages, consent, globalComponents, agents, timeLimit } = definition
  return {
    ...definition,
    ...speedUpPart(definition, divided),
    ...(stages && { stages: stages.map((stage) => ({ ...stage, ...speedUpPart(stage, divided) })) }),
    ...(timeLimit && { timeLimit: quickenFields(timeLimit, divided) }),
    ...(globalComponents && { globalComponents: globalComponents.map((one) => quickenFields(one, divided)) }),
    ...(agents && { agents: agents.map((agent) => speedUpAgent(agent, speed)) }),
    ...(consent && { consent: quickenFields(consent, divided) }),
  }
}

type Part = Pick<WrittenDefinition, 'states' | 'blocks' | 'matching' | 'dropout'>

/** What a stage has as well. */
function speedUpPart({ states, blocks, matching, dropout }: Part, divided: (ms: number) => number): Part {
  const dividedAtFirst = (ms: number): number => Math.max(divided(ms), Math.min(minFirstDeadlineMs, ms))
  return {
    ...(states && {
      states: states.map((state, index) => ({
        ...quickenEnd(state, index === 0 && state.end?.on === 'all_responded' ? dividedAtFirst : divided),
        components: state.components.map((one) => quickenFields(one, divided)),
      })),
    }),
    ...(blocks && {
      blocks: blocks.map(({ timeLimit: limit, ...block }) => ({
        ...block,
        ...(limit && { timeLimit: quickenFields(limit, divided) }),
      })),
    }),
    ...(matching && { matching: quickenFields(matching, divided) }),
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
