import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoomState } from '../model/room-state.ts'
import { agentScenario, playToTheEnd } from '../test/agents-to-the-end.ts'
import { newRoom } from '../test/random-room.ts'
import { reduceRoom } from './reduce-room.ts'

const throughJson = <Thing>(thing: Thing): Thing => JSON.parse(JSON.stringify(thing))

describe('Agents, whatever they do', () => {
  it('[R34,R44,RM125,RM126,RM128] never stall a room, are refused only what is not legal, take each turn once, and replay without a model', () => {
    fc.assert(
      fc.property(agentScenario, (given) => {
        const { room, steps, blueprint } = playToTheEnd(given)
        expect(room.status.kind).toBe('ended')
        for (const seat of room.seats) {
          if (seat.status !== 'agent') expect(seat.outcome).not.toBeNull()
          expect(seat.agent?.pending ?? null).toBeNull()
        }
        const turns = steps.flatMap(({ action }) => (action.type === 'agent_turn' ? [action.turnId] : []))
        expect(new Set(turns).size).toBe(turns.length)

        let replayed: RoomState = newRoom(blueprint)
        for (const { at, action } of steps) {
          const reduction = reduceRoom(throughJson(replayed), throughJson(action), at, blueprint)
          if (reduction.kind !== 'applied') throw new Error('a logged action was not applied again')
          replayed = reduction.room
        }
        expect(throughJson(replayed)).toEqual(throughJson(room))
      }),
      { numRuns: 120 },
    )
  })
})
