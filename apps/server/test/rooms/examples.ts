import { readFileSync } from 'node:fs'
import type { ExperimentDefinition } from '@atrium/contract'
import type { RoomSocket } from '@atrium/testkit'
import { parseDefinition } from '../../src/modules/experiments/parse-definition.ts'

export function example(name: string): ExperimentDefinition {
  const file = new URL(`../../../../examples/${name}.json`, import.meta.url)
  return parseDefinition(JSON.parse(readFileSync(file, 'utf8'))).study
}

/** The event of a participant entering a state. */
export const entered = (socket: RoomSocket, id: string, round: number | null = null) =>
  socket.event('state_entered', ({ state }) => state.id === id && state.round === round)
