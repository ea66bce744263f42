import { expect, test } from 'vitest'
import { compileBlueprint } from '../model/blueprint.ts'
import { actionsPerPage, type ReplayableAction, type RoomRecord } from '../rooms.store.ts'
import { createReplays } from './replays.ts'

const blueprint = compileBlueprint({ name: 'Long', states: [{ id: 's', components: [] }] })
const room: RoomRecord = {
  roomId: 'room_1',
  experimentId: 'exp_1',
  revision: 1,
  stage: null,
  podId: 'pod',
  epoch: 1,
  seed: 'seed',
  ordinal: 0,
  closedAt: null,
  isAsleep: true,
  members: [],
  agents: [],
  personas: null,
  assignment: null,
}

function replaysOf(log: readonly ReplayableAction[]) {
  return createReplays({
    store: {
      find: async () => room,
      load: () => Promise.reject(new Error('there is no snapshot')),
      actionsAfter: async (_roomId, seq) => log.filter((one) => one.seq > seq).slice(0, actionsPerPage),
    },
    blueprintOf: async () => blueprint,
  })
}

/** How often the event loop turns meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false]
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work
  isDone = true
  return turns
}

test('[RM142] the event loop keeps turning while a moment between two checkpoints is looked up', async () => {
  // Slow to read, and skipped because nothing knows them.
  const action = JSON.stringify({ type: 'unknown', much: Array.from({ length: 20_000 }, () => []) })
  const log = Array.from({ length: actionsPerPage - 1 }, (_, index) => ({
    seq: index + 1,
    at: 1,
    action,
    replay: null,
  }))
  const replays = replaysOf(log)
  expect((await replays.read('room_1', 'ada')).last.number).toBe(log.length)
  const found = replays.at('room_1', log.length - 1, 'ada')
  expect(await turnsDuring(found)).toBeGreaterThan(1)
  expect((await found).number).toBe(log.length - 1)
})

test('[RM142] [R40] whoever asks for very much keeps nobody else from a replay', async () => {
  const replays = replaysOf([{ seq: 1, at: 1, action: '{"type":"unknown"}', replay: null }])
  const many = Promise.allSettled(Array.from({ length: 200 }, () => replays.read('room_1', 'ada')))
  const other = replays.read('room_1', 'ben')
  expect((await other).last.number).toBe(1)
  expect((await many).some(({ status }) => status === 'rejected')).toBe(true)
})
