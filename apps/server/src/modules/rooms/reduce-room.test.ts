import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDefinition } from '../experiments/parse-definition.ts'
import { compileBlueprint } from './blueprint.ts'
import { nextDeadline } from './deadlines.ts'
import { emptyRoom, reduceRoom } from './reduce-room.ts'
import type { RoomAction } from './room-action.ts'
import type { RoomState } from './room-state.ts'
import { type Happening, randomDefinition, randomHappenings } from './test/random-room.ts'
import type { Emitted, ParticipantRecord } from './turn.ts'
import { snapshotFor } from './view.ts'

const runs = { numRuns: 400, seed: 20_261_115 }

const scenario = fc.integer({ min: 1, max: 4 }).chain((people) =>
  fc.record({
    people: fc.constant(people),
    definition: randomDefinition(people),
    happenings: randomHappenings(people),
  }),
)

interface Played {
  state: RoomState
  log: { at: number; action: RoomAction }[]
  emitted: Emitted[]
  records: ParticipantRecord[]
  states: RoomState[]
}

const isDefinitionSound = (definition: unknown): boolean => {
  try {
    parseDefinition(definition)
    return true
  } catch {
    return false
  }
}

function play(
  people: number,
  definition: Parameters<typeof compileBlueprint>[0],
  happenings: Happening[],
  isOver = false,
): Played {
  const blueprint = compileBlueprint(definition)
  const played: Played = { state: start(blueprint), log: [], emitted: [], records: [], states: [] }
  let now = 1_000_000
  const apply = (action: RoomAction) => {
    const reduction = reduceRoom(played.state, action, now, blueprint)
    if (reduction.kind !== 'applied') return
    played.state = reduction.room
    played.log.push({ at: now, action })
    played.emitted.push(...reduction.emitted)
    played.records.push(...reduction.records)
    played.states.push(reduction.room)
  }
  const members = Array.from({ length: people }, (_, index) => ({
    participantId: `p${index}`,
    role: index % 2 ? 'b' : 'a',
  }))
  apply({ type: 'opened', members, seed: 'seed', ordinal: 0 })
  for (const { afterMs, action } of happenings) {
    now += afterMs
    apply(action)
  }
  if (isOver) {
    apply({ type: 'resume', by: 'test' })
    apply({ type: 'restored' })
    // Only the clock is left; it must bring the room to its end.
    for (let due = nextDeadline(played.state); due !== null; due = nextDeadline(played.state)) {
      now = Math.max(now, due)
      apply({ type: 'tick' })
    }
  }
  return played
}

const start = (blueprint: ReturnType<typeof compileBlueprint>): RoomState =>
  emptyRoom({ roomId: 'room_1', experimentId: 'e', revision: 1, seed: 'seed', ordinal: 0 }, blueprint)

describe('reduceRoom, whatever happens', () => {
  it('[RM1] replaying the log gives the same state, also from a snapshot in the middle', () => {
    fc.assert(
      fc.property(scenario, fc.nat(), ({ people, definition, happenings }, cut) => {
        fc.pre(isDefinitionSound(definition))
        const { state, log, states } = play(people, definition, happenings)
        const blueprint = compileBlueprint(definition)
        const from = cut % log.length
        let replayed = JSON.parse(
          JSON.stringify(from === 0 ? start(blueprint) : states[from - 1]),
        ) as RoomState
        for (const { at, action } of log.slice(from)) {
          const reduction = reduceRoom(replayed, action, at, blueprint)
          if (reduction.kind !== 'applied') throw new Error('a logged action was not applied again')
          replayed = reduction.room
        }
        expect(JSON.parse(JSON.stringify(replayed))).toEqual(JSON.parse(JSON.stringify(state)))
      }),
      runs,
    )
  })

  it('[RM2] a state that was given out is never changed afterwards', () => {
    fc.assert(
      fc.property(scenario, ({ people, definition, happenings }) => {
        fc.pre(isDefinitionSound(definition))
        const blueprint = compileBlueprint(definition)
        const { states } = play(people, definition, happenings)
        const frozen = states.map((state) => JSON.stringify(state))
        for (const { action } of happenings)
          for (const state of states.slice(-3)) reduceRoom(state, action, 9_000_000, blueprint)
        expect(states.map((state) => JSON.stringify(state))).toEqual(frozen)
      }),
      { ...runs, numRuns: 100 },
    )
  })

  it('[RM3] events are numbered without holes, and every room ends by the clock alone', () => {
    fc.assert(
      fc.property(scenario, ({ people, definition, happenings }) => {
        fc.pre(isDefinitionSound(definition))
        const { state, emitted } = play(people, definition, happenings, true)
        expect(emitted.map(({ event }) => event.seq)).toEqual(emitted.map((_, index) => index + 1))
        expect(state.status.kind).toBe('ended')
        expect(emitted.filter(({ event }) => event.type === 'room_ended')).toHaveLength(1)
        for (const seat of state.seats) expect(seat.outcome).not.toBeNull()
      }),
      runs,
    )
  })

  it('[RM4] each participant finishes at most once, and an action id is applied at most once', () => {
    fc.assert(
      fc.property(scenario, ({ people, definition, happenings }) => {
        fc.pre(isDefinitionSound(definition))
        const { records, log } = play(people, definition, happenings, true)
        for (let index = 0; index < people; index++) {
          const own = records.filter((record) => record.participantId === `p${index}`)
          expect(own.filter((record) => record.type === 'finished').length).toBeLessThanOrEqual(1)
          const ids = log.flatMap(({ action }) =>
            'actionId' in action && action.participantId === `p${index}` ? [action.actionId] : [],
          )
          expect(new Set(ids).size).toBe(ids.length)
          const responses = own.filter((record) => record.type === 'component_response')
          const logged = log.filter(
            ({ action }) => action.type === 'submit_response' && action.participantId === `p${index}`,
          )
          expect(responses).toHaveLength(logged.length)
        }
      }),
      runs,
    )
  })

  it('[RM5] no snapshot and no event carries an answer key', () => {
    fc.assert(
      fc.property(scenario, ({ people, definition, happenings }) => {
        fc.pre(isDefinitionSound(definition))
        const blueprint = compileBlueprint(definition)
        const { state, emitted } = play(people, definition, happenings)
        const sent = JSON.stringify([
          emitted,
          ...state.seats.map((seat) => snapshotFor(state, blueprint, seat.participantId, 0)),
        ])
        expect(sent).not.toContain('"correct"')
      }),
      { ...runs, numRuns: 200 },
    )
  })
})
