import { createApi, createResearcher, pace, patience, startWorld, waitUntil } from '@atrium/testkit'
import { expect } from 'vitest'
import { createTurns } from '../../src/kernel/turns.ts'
import { readRows } from '../rooms/rows.ts'
import { alone, createBot, createGate, drawPlan, groupSize, pairs } from './capacity-bots.ts'
import { createCounts, type Due } from './capacity-counts.ts'

export interface CrowdOptions {
  mode: 'embedded' | 'cluster'
  servers: number
  roomsPerPod: number
  bots: number
  seed: number
}

const patient = { timeoutMs: 240_000 }
const pauseBetweenSamplesMs = 1_000
const atOnce = 8

/** R39: people come, play, vanish and come back, with fewer places than they need. */
export async function watchCrowd({ mode, servers, roomsPerPod, bots: people, seed }: CrowdOptions) {
  const ends: (() => void)[] = []
  const world = await startWorld(mode, {
    servers,
    router: mode === 'cluster',
    env: { ...patience, MAX_ROOMS_PER_POD: String(roomsPerPod), MAX_PARTICIPANTS_PER_POD: '1000' },
  })
  try {
    const api = createApi(() => world.any().http)
    const researcher = await createResearcher(api, ['researcher', 'admin'])
    const experiments = {
      pairs: await researcher.openExperiment(pairs),
      alone: await researcher.openExperiment(alone),
    }
    const counts = createCounts({
      world,
      token: researcher.token,
      experimentIds: Object.values(experiments),
    })
    ends.push(counts.stop)
    const random = randomFrom(seed)
    const gate = createGate()
    const plans = Array.from({ length: people }, () => drawPlan(random))
    const inTurn = createTurns(atOnce)
    const bots = plans.map((plan) => createBot({ world, inTurn, gate, experiments }, plan))
    let failure: unknown
    const playing = Promise.all(bots.map((bot) => bot.run())).catch((error: unknown) => {
      failure = error
    })

    const dues = new Map<string, Due>()
    const note = async () => {
      for (const due of await counts.dues()) dues.set(`${due.roomId} ${due.dueAt}`, due)
    }
    /** A single bot left over may wait forever. */
    const isOver = () =>
      bots.every(({ isFinished, isWaiting }) => isFinished || isWaiting) &&
      bots.filter(({ isWaiting }) => isWaiting).length < groupSize
    let samples = 0
    while (!isOver() && failure === undefined) {
      gate.shut()
      await waitUntil(async () => {
        await note()
        return await counts.agree(bots)
      }, patient)
      samples++
      gate.open()
      await pace(pauseBetweenSamplesMs)
    }
    expect(failure).toBeUndefined()
    await finish()
    return { samples, dues: dues.size }

    /** When everybody is gone, every room ends by its deadlines and every place becomes free. */
    async function finish(): Promise<void> {
      await researcher.setStatus(experiments.pairs, 'closed')
      await playing
      expect(failure).toBeUndefined()
      await waitUntil(async () => {
        await note()
        const open = await readRows(
          world,
          `select room_id from rooms where closed_at is null and ordinal is not null`,
        )
        return open.length === 0 || `${open.length} rooms are open`
      }, patient)
      await waitUntil(() => counts.agree(bots), patient)
      expect(await counts.awake()).toBe(0)
      await expectKept([...dues.values()])
    }

    /** Each deadline was applied at its own time, unless somebody who came had woken the room. */
    async function expectKept(due: Due[]): Promise<void> {
      const log = await readRows(
        world,
        `select room_id, epoch, at, action from room_actions order by room_id, seq`,
      )
      const byRoom = Map.groupBy(log, (row) => String(row.room_id))
      const closings = await readRows(
        world,
        `select room_id, closed_at from rooms where closed_at is not null`,
      )
      const closedAt = new Map(closings.map((row) => [String(row.room_id), Number(row.closed_at)]))
      const broken = due.filter(({ roomId, restingSince, dueAt }) => {
        const actions = (byRoom.get(roomId) ?? []).filter((row) => Number(row.at) >= restingSince)
        const next = actions.find((row) => Number(row.at) >= dueAt)
        const isKept = Number(next?.at) === dueAt && next?.action === '{"type":"tick"}'
        const wasWoken = actions.some(
          (row) => isArrival(row.action) && (Number(row.at) < dueAt || row.epoch === next?.epoch),
        )
        return !isKept && !wasWoken && (closedAt.get(roomId) ?? Infinity) >= dueAt
      })
      expect(broken).toEqual([])
    }
  } finally {
    for (const end of ends) end()
    await world.stop()
  }
}

const isArrival = (action: unknown): boolean => /"type":"(connected|completed)"/.test(String(action))

/** Mulberry32: the same seed gives the same plans. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
