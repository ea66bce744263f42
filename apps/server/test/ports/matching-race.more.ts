import { isLongRun } from '@atrium/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRedisPods } from '../../src/adapters/redis/pod-directory.ts'
import { createRedisWaiting } from '../../src/adapters/redis/waiting-queue.ts'
import type { PodDirectory } from '../../src/ports/pod-directory.ts'
import type { WaitingQueue } from '../../src/ports/waiting-queue.ts'
import { useRedis } from './both-adapters.ts'
import { groupSize, race } from './matching-race.ts'
import { experimentId, keepCrowd, lease, person } from './waiting-world.ts'

const presentCount = isLongRun ? 2_000 : 800
const ghostCount = 100
const roomCount = presentCount / groupSize
const matchers = 4
/** Together they have exactly enough places for everybody. */
const podIds = ['pod-0', 'pod-1', 'pod-2', 'pod-3']
const roomyLease = { ...lease, maxRooms: roomCount / 4, maxParticipants: presentCount / 4 }

const padded = (at: number) => String(at).padStart(4, '0')
const present = Array.from({ length: presentCount }, (_, at) => `p-${padded(at)}`)
const ghosts = Array.from({ length: ghostCount }, (_, at) => `ghost-${padded(at)}`)

describe(`${matchers} processes that all believe they are the leader match ${presentCount} people`, () => {
  const redis = useRedis()
  let waiting: WaitingQueue
  let pods: PodDirectory
  let renewing: NodeJS.Timeout

  beforeEach(async () => {
    const client = await redis.connect()
    await client.flushall()
    waiting = createRedisWaiting(client)
    pods = createRedisPods(client)
    const renew = () => Promise.all(podIds.map((podId) => pods.renew(podId, roomyLease, 10_000)))
    await renew()
    // The next renewal makes up for a late one.
    renewing = setInterval(() => void renew().catch(() => undefined), 500)
    const now = Date.now()
    const people = present.map((id, at) => person(id, now - 10_000 + at))
    // Absent people are spread over the whole queue.
    const absent = ghosts.map((id, at) => person(id, now - 10_000 + (at * presentCount) / ghostCount))
    await keepCrowd(waiting, people, now + 600_000, now)
    await waiting.keep(experimentId, absent, now - 1, now)
  })
  afterEach(() => clearInterval(renewing))

  /** The groups that the queue holds as claimed, whatever the matchers believe. */
  const claimedGroups = async (): Promise<string[][]> =>
    (await waiting.lapsed(Number.MAX_SAFE_INTEGER)).map(({ members }) =>
      members.map(({ participantId }) => participantId),
    )

  async function expectEveryoneInOneRoom(groups: string[][]): Promise<void> {
    expect(groups).toHaveLength(roomCount)
    expect(groups.every((members) => members.length === groupSize)).toBe(true)
    // Equal as sorted lists: nobody is missing or there twice, and nobody absent is included.
    expect(groups.flat().sort()).toEqual(present)
    const left = await waiting.view(experimentId, Date.now())
    expect({ people: left.people, absent: left.absent.toSorted() }).toEqual({ people: [], absent: ghosts })
    const loads = (await pods.list()).map(({ rooms, participants }) => [rooms, participants])
    expect(loads).toEqual(podIds.map(() => [roomCount / 4, presentCount / 4]))
  }

  test('[W6] into full rooms, each of people who arrived consecutively', async () => {
    const reports = await race(redis.program().url, matchers, 'by_arrival')
    const groups = await claimedGroups()
    await expectEveryoneInOneRoom(groups)
    // A matcher proposes the first four people it does not know to be gone. It knows everybody, because nobody came
    // later, so everyone before them is gone; and a claim succeeds only if the four are not. So every claim takes the
    // four who have waited longest at that moment, and the rooms are consecutive fours, whichever matcher claimed them.
    const cutIntoFours = Array.from({ length: roomCount }, (_, at) => present.slice(4 * at, 4 * at + 4))
    expect(groups.toSorted((one, other) => ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1))).toEqual(
      cutIntoFours,
    )
    // They all began with the same four people, and only one matcher can have claimed them.
    const refusals = reports.reduce((total, report) => total + report.refusals, 0)
    expect(refusals).toBeGreaterThanOrEqual(matchers - 1)
  })

  test('[W6] even if they propose overlapping groups', async () => {
    await race(redis.program().url, matchers, 'at_random')
    await expectEveryoneInOneRoom(await claimedGroups())
  })
})
