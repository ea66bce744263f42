import { compileBlueprint } from '../model/blueprint.ts'
import type { RoomState } from '../model/room-state.ts'
import { reduceRoom } from '../rules/reduce-room.ts'
import type { playRoom } from './played-room.ts'

/** The same log on another server: its definition compiled anew, and each of its actions applied again. */
export function playAgain({ steps, blueprint }: ReturnType<typeof playRoom>): RoomState | undefined {
  const compiledAgain = compileBlueprint(blueprint.definition)
  let again = steps[0]?.before
  for (const { action, at } of steps) {
    const reduction = again && reduceRoom(again, action, at, compiledAgain)
    if (reduction?.kind !== 'applied') throw new Error(`${action.type} was not applied`)
    again = reduction.room
  }
  return again
}
