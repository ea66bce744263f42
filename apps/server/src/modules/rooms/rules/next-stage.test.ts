import type { Stage } from '@atrium/contract'
import { stageOf, studyOf } from '@atrium/contract'
import { expect, test } from 'vitest'
import { compileBlueprint } from '../model/blueprint.ts'
import { carriedBy } from '../model/carried.ts'
import type { RoomAction } from '../model/room-action.ts'
import type { RoomState } from '../model/room-state.ts'
import { snapshotFor } from '../model/view.ts'
import { emptyRoom } from './opening.ts'
import { reduceRoom } from './reduce-room.ts'

const stages: Stage[] = [
  {
    id: 'alone',
    states: [
      {
        id: 'side',
        components: [{ id: 'choice', type: 'text_input' }],
        onEnd: { side: 'response.choice' },
        next: [{ when: "side == 'stop'", to: 'end', outcome: 'STOPPED' }],
      },
    ],
  },
  {
    id: 'talk',
    when: "side != 'none'",
    matching: { groupSize: 2 },
    states: [{ id: 'chat', components: [] }],
  },
  { id: 'last', states: [{ id: 'bye', components: [] }] },
]
const written = {
  name: 'Stages',
  variables: { side: { scope: 'participant', initial: null }, said: 0 },
  stages,
}

interface Opened {
  stage?: string
  members?: Extract<RoomAction, { type: 'opened' }>['members']
}

/** A room of a stage, in which everybody is connected. */
function roomOf({ stage, members = [{ participantId: 'p1', role: 'participant' }] }: Opened = {}) {
  const blueprint = compileBlueprint(stageOf(written, stage ?? null))
  const origin = { roomId: 'room_1', experimentId: 'exp_1', revision: 1, seed: 'seed', ordinal: 0 }
  let room: RoomState = emptyRoom({ ...origin, stage: stage ?? null }, blueprint)
  const records: string[] = []
  const told: string[] = []
  const act = (action: RoomAction): void => {
    const reduction = reduceRoom(room, action, 1_000, blueprint)
    if (reduction.kind !== 'applied') throw new Error(`${action.type} was ${reduction.kind}`)
    room = reduction.room
    records.push(...reduction.records.map(({ type }) => type))
    told.push(...reduction.emitted.map(({ event }) => event.type))
  }
  act({ type: 'opened', members, seed: 'seed', ordinal: 0, countsAbsence: true })
  for (const { participantId } of members) act({ type: 'connected', participantId })
  const self = (participantId = 'p1') => snapshotFor(room, blueprint, participantId, 1_000).self
  const seat = (at = 0) => {
    const found = room.seats[at]
    if (!found) throw new Error('nobody sits there')
    return found
  }
  return { act, self, seat, blueprint, room: () => room, records, told }
}

function answered(value: string) {
  const room = roomOf()
  const own = { participantId: 'p1' }
  room.act({ type: 'submit_response', actionId: 'a', componentId: 'choice', value, ...own })
  room.act({ type: 'ready', actionId: 'b', ...own })
  return room
}

test('[RM270] the end of a stage is no end: they have no outcome, and a place to go on to', () => {
  const room = answered('for')
  expect(room.self()).toMatchObject({ status: 'finished', outcome: null, nextStage: 'talk' })
  expect(room.room().status).toEqual({ kind: 'ended', reason: 'everyone_done' })
  expect(room.records).toContain('stage_finished')
  expect(room.records).not.toContain('finished')
  expect(room.told).toContain('stage_finished')
})

test('[RM270] a stage is passed by where its condition is not met', () => {
  expect(answered('none').self()).toMatchObject({ nextStage: 'last' })
})

test('[RM270] an outcome of its own ends the study in whichever stage', () => {
  const { nextStage, outcome } = answered('stop').self()
  expect([nextStage, outcome]).toEqual([undefined, 'STOPPED'])
})

test('[RM270] the last stage ends as a study without stages does', () => {
  const room = roomOf({ stage: 'last' })
  room.act({ type: 'ready', actionId: 'b', participantId: 'p1' })
  expect(room.self()).toMatchObject({ status: 'finished', outcome: 'SUCCESS' })
})

test('[RM270] in a group, whoever was not there when the stage ended has abandoned the study', () => {
  const members = ['p1', 'p2'].map((participantId) => ({ participantId, role: 'participant' }))
  const room = roomOf({ stage: 'talk', members })
  room.act({ type: 'ready', actionId: 'a', participantId: 'p1' })
  expect(room.self().nextStage).toBeUndefined()
  room.act({ type: 'ready', actionId: 'b', participantId: 'p2' })
  expect([room.seat(0).nextStage, room.seat(1).nextStage]).toEqual(['last', 'last'])
  expect(room.room().status).toEqual({ kind: 'ended', reason: 'finished' })
})

test('[RM270] what they bring is theirs in the next room, and a variable of the room begins anew', () => {
  const first = answered('for')
  const carried = carriedBy(first.room(), first.blueprint.definition, first.seat())
  const room = roomOf({ stage: 'last', members: [{ participantId: 'p1', role: 'participant', carried }] })
  expect(room.self().variables).toEqual({ side: 'for' })
  expect(room.room().variables).toEqual({ said: 0 })
})

test('[R68] a study has the states of all stages, and a stage what is its own and what all share', () => {
  expect(studyOf(written).states.map(({ id }) => id)).toEqual(['side', 'chat', 'bye'])
  const talk = stageOf(
    { ...written, globalComponents: [{ id: 'note', type: 'text', states: ['bye'] }] },
    'talk',
  )
  expect([talk.states.map(({ id }) => id), talk.matching, talk.globalComponents]).toEqual([
    ['chat'],
    { groupSize: 2 },
    [],
  ])
  expect(stageOf(written, null).states[0]?.id).toBe('side')
})
