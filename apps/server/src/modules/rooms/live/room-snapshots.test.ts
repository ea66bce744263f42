import { waitUntil } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { parseDefinition } from '../../experiments/parse-definition.ts'
import { compileBlueprint } from '../model/blueprint.ts'
import type { RoomState } from '../model/room-state.ts'
import type { StoredSnapshot } from '../rooms.store.ts'
import { emptyRoom } from '../rules/opening.ts'
import { createRoomSnapshots } from './room-snapshots.ts'

const { study: definition } = parseDefinition({ name: 'Wait', states: [{ id: 'wait', components: [] }] })
const origin = { roomId: 'room_1', experimentId: 'exp_1', revision: 1, seed: 'seed', ordinal: 0 }
const room = emptyRoom(origin, compileBlueprint(definition))
const none = { seq: 0, length: 0 }

function followed(save: (snapshot: StoredSnapshot) => Promise<void> = async () => undefined) {
  const saved: StoredSnapshot[] = []
  const failures: string[] = []
  const snapshots = createRoomSnapshots({
    save: async (snapshot) => {
      saved.push(snapshot)
      await save(snapshot)
    },
    onFailed: (error, roomId) => failures.push(`${roomId}: ${error}`),
  })
  const places = () => saved.map(({ roomId, seq }) => `${roomId} ${seq}`)
  return { snapshots, saved, failures, places }
}

const heavy = (): RoomState => ({ ...room, seed: 'x'.repeat(8 * 1_048_576) })

/** Plays actions one by one, with a turn for the writer after each. */
async function play(keep: (state: RoomState, seq: number) => void, from: number, to: number, state = room) {
  for (let seq = from; seq <= to; seq++) {
    keep(state, seq)
    if (seq % 100 === 0) await new Promise(setImmediate)
    await new Promise(setImmediate)
  }
}

it('[RM64] a snapshot is written after every 200 actions since the last one, and at the end', async () => {
  const { snapshots, saved } = followed()
  const keep = snapshots.follow('room_1', 3, { seq: 50, length: 100 })
  await play(keep, 51, 500)
  keep({ ...room, status: { kind: 'ended', reason: 'completed' } }, 501)
  await snapshots.stop()
  expect(saved.map(({ seq }) => seq)).toEqual([250, 450, 501])
  expect(saved[0]).toEqual({ roomId: 'room_1', epoch: 3, seq: 250, state: JSON.stringify(room) })
})

it('[RM64] a large room is written less often, even if it was already large when read', async () => {
  const first = followed()
  await play(first.snapshots.follow('room_1', 1, none), 1, 2_300, heavy())
  await first.snapshots.stop()
  expect(first.saved.map(({ seq }) => seq)).toEqual([200, 2_200])
  const second = followed()
  await play(second.snapshots.follow('room_1', 1, { seq: 200, length: 9_000_000 }), 201, 2_100)
  await second.snapshots.stop()
  expect(second.saved).toEqual([])
})

it('[RM64] they are written one at a time; of a pending room, only the newest', async () => {
  const release: (() => void)[] = []
  const { snapshots, places } = followed(() => new Promise((done) => release.push(done)))
  const [one, two] = ['room_1', 'room_2'].map((id) => snapshots.follow(id, 1, none))
  one?.(room, 200)
  await waitUntil(() => release.length === 1 || 'nothing is being written')
  two?.(room, 200)
  one?.(room, 400)
  two?.(room, 400)
  expect(places()).toEqual(['room_1 200'])
  release[0]?.()
  await waitUntil(() => release.length === 2 || 'the second is not being written')
  expect(places()).toEqual(['room_1 200', 'room_2 400'])
  const stopped = snapshots.stop()
  release[1]?.()
  await waitUntil(() => release.length === 3 || 'the third is not being written')
  release[2]?.()
  await stopped
  expect(places()).toEqual(['room_1 200', 'room_2 400', 'room_1 400'])
})

it('[RM64] a failure is reported and does not keep others from being written', async () => {
  const { snapshots, places, failures } = followed(async ({ roomId }) => {
    if (roomId === 'room_1') throw new Error('too slow')
  })
  for (const id of ['room_1', 'room_2']) snapshots.follow(id, 1, none)(room, 200)
  await waitUntil(() => places().length === 2 || 'not all have been tried')
  expect([places(), failures]).toEqual([['room_1 200', 'room_2 200'], ['room_1: Error: too slow']])
  await snapshots.stop()
})

it('[RM64] a stopping server does not wait for an unavailable store once per room', async () => {
  const { snapshots, places } = followed(async () => {
    throw new Error('away')
  })
  for (const id of ['room_1', 'room_2', 'room_3']) snapshots.follow(id, 1, none)(room, 200)
  await snapshots.stop()
  expect(places()).toEqual(['room_1 200'])
})
