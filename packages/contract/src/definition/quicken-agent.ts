import { type Agent, pacingOf } from './agents.ts'

/** The definition allows neither a shorter silence nor faster typing. */
const leastSilenceMs = 1_000
const mostCharactersPerSecond = 10_000

/** The same agent, whose thinking, typing and silences take less time. */
export function quickenAgent(agent: Agent, speed: number): Agent {
  const { thinkMs, thinkSpreadMs, charactersPerSecond, lullMs } = pacingOf(agent)
  const divided = (ms: number): number => Math.ceil(ms / speed)
  const silence = (ms: number): number => Math.max(Math.min(ms, leastSilenceMs), divided(ms))
  const { speaks } = agent
  return {
    ...agent,
    pacing: {
      ...agent.pacing,
      thinkMs: divided(thinkMs),
      thinkSpreadMs: divided(thinkSpreadMs),
      charactersPerSecond: Math.min(charactersPerSecond * speed, mostCharactersPerSecond),
      lullMs: silence(lullMs),
    },
    ...(speaks?.on === 'lull' && { speaks: { ...speaks, afterMs: silence(speaks.afterMs) } }),
  }
}
