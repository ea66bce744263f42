import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { ExperimentDefinition } from '@atrium/contract'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import type { RoomOrigin } from '../rules/opening.ts'

/** A recorded room: every later version must replay its log to the same state. */
export interface GoldenRoom {
  name: string
  origin: RoomOrigin
  definition: ExperimentDefinition
  log: { at: number; action: RoomAction }[]
  state: RoomState
}

const folder = new URL('./golden/', import.meta.url)

/** One line for the game, one per action, one for the final state, so that diffs are readable. */
export function writeGolden({ name, origin, definition, log, state }: GoldenRoom): void {
  const lines = [{ origin, definition }, ...log, state].map((line) => JSON.stringify(line))
  writeFileSync(new URL(`${name}.jsonl`, folder), `${lines.join('\n')}\n`, { flag: 'wx' })
}

export const goldenNames = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => file.replace('.jsonl', ''))

export function readGolden(name: string): GoldenRoom {
  const text = readFileSync(new URL(`${name}.jsonl`, folder), 'utf8')
  const [head, ...rest] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const state = rest.pop()
  return { name, ...head, log: rest, state }
}
