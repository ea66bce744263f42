import { readFileSync } from 'node:fs'
import type { ExperimentDefinition, State } from '@atrium/contract'

/**
 * An example without its short deadlines, because a busy machine is slower than people are, and without the way back to
 * a recruiting site, which is not on this machine.
 */
export function example(name: string): ExperimentDefinition {
  const file = new URL(`../../../examples/${name}.json`, import.meta.url)
  const definition: ExperimentDefinition = JSON.parse(readFileSync(file, 'utf8'))
  const { redirectUrl: _elsewhere, ...completion } = definition.completion ?? {}
  return { ...definition, completion, states: definition.states.map(unhurried) }
}

function unhurried({ end, ...state }: State): State {
  if (!end) return state
  if (end.on === 'timed') return { ...state, end: { on: 'button' } }
  const { afterMs: _none, ...rest } = end
  return { ...state, end: rest }
}
