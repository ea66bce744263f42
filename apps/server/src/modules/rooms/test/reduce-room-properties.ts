import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RoomState } from '../model/room-state.ts'
import { reduceRoom } from '../rules/reduce-room.ts'
import { createPlays, newRoom, plainActions, scenario } from './random-room.ts'

const throughJson = <Thing>(thing: Thing): Thing => JSON.parse(JSON.stringify(thing))

/** In each property that many rooms, and fewer where a room is played many times. */
export function testReduceRoom(numRuns: number): void {
  describe('reduceRoom, for any actions', () => {
    const play = createPlays()

    it('[RM1] replaying the log gives the same state, even from a snapshot in the middle', () => {
      fc.assert(
        fc.property(scenario, fc.nat(), (given, cut) => {
          const { room, steps, blueprint } = play(given)
          const from = cut % steps.length
          let replayed: RoomState = throughJson(steps[from - 1]?.room ?? newRoom(blueprint))
          for (const { at, action, emitted, records } of steps.slice(from)) {
            const reduction = reduceRoom(replayed, throughJson(action), at, blueprint)
            if (reduction.kind !== 'applied') throw new Error('a logged action was not applied again')
            expect(throughJson([reduction.emitted, reduction.records])).toEqual(
              throughJson([emitted, records]),
            )
            replayed = reduction.room
          }
          expect(throughJson(replayed)).toEqual(throughJson(room))
        }),
        { numRuns },
      )
    })

    it('[RM1] a room survives being stored as JSON', () => {
      fc.assert(
        fc.property(scenario, (given) => {
          const { room } = play(given)
          expect(throughJson(room)).toEqual(room)
        }),
        { numRuns },
      )
    })

    it('[RM2] a state that has been handed out never changes', () => {
      fc.assert(
        fc.property(scenario, (given) => {
          const { blueprint, steps } = play(given)
          const before = steps.map(({ room }) => JSON.stringify(room))
          for (const action of [...plainActions(given), ...steps.map(({ action }) => action)])
            for (const { room } of steps.slice(-3)) reduceRoom(room, action, 9_000_000, blueprint)
          expect(steps.map(({ room }) => JSON.stringify(room))).toEqual(before)
        }),
        { numRuns: numRuns / 4 },
      )
    })

    it('[RM3] events are numbered without gaps, and every room ends by the clock alone', () => {
      fc.assert(
        fc.property(scenario, (given) => {
          const { room, steps } = play(given, true)
          const events = steps.flatMap(({ emitted }) => emitted.map(({ event }) => event))
          expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
          for (const { room, at } of steps)
            if (room.status.kind === 'paused') expect(room.status.since <= at).toBe(true)
          expect(room.status.kind).toBe('ended')
          expect(events.filter(({ type }) => type === 'room_ended')).toHaveLength(1)
          for (const seat of room.seats) if (seat.status !== 'agent') expect(seat.outcome).not.toBeNull()
        }),
        { numRuns },
      )
    })

    it('[RM4] each participant finishes at most once, and an action id is applied at most once', () => {
      fc.assert(
        fc.property(scenario, (given) => {
          const { steps } = play(given, true)
          const records = steps.flatMap((step) => step.records)
          for (const { participantId } of given.members) {
            const own = records.filter((record) => record.participantId === participantId)
            expect(own.filter((record) => record.type === 'finished').length).toBeLessThanOrEqual(1)
            const actions = steps.flatMap(({ action }) =>
              'actionId' in action && action.participantId === participantId ? [action] : [],
            )
            expect(new Set(actions.map(({ actionId }) => actionId)).size).toBe(actions.length)
            const responses = own.filter((record) => record.type === 'component_response')
            expect(responses).toHaveLength(actions.filter(({ type }) => type === 'submit_response').length)
          }
        }),
        { numRuns },
      )
    })

    it('[RM50] an ended room does not change any more', () => {
      fc.assert(
        fc.property(scenario, (given) => {
          const { room, blueprint, steps } = play(given, true)
          for (const action of [...plainActions(given), ...steps.slice(1).map(({ action }) => action)]) {
            const reduction = reduceRoom(room, action, 9_000_000_000, blueprint)
            if (reduction.kind !== 'applied') continue
            expect(reduction.emitted).toEqual([])
            expect(reduction.records).toEqual([])
            expect({ ...reduction.room, seats: room.seats }).toEqual(room)
          }
        }),
        { numRuns: numRuns / 2 },
      )
    })
  })
}
