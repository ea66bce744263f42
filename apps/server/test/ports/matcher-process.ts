// A matcher that believes it is the leader, as a separate process: `node matcher-process.ts <Redis URL> <name> <order>`.
// It reads the queue, reports that it is ready, and after the first message claims group after group.
import { once } from 'node:events'
import { connectRedis, untilConnected } from '@atrium/program'
import { pace } from '@atrium/testkit'
import { createRedisPods } from '../../src/adapters/redis/pod-directory.ts'
import { createRedisWaiting } from '../../src/adapters/redis/waiting-queue.ts'
import { AppError } from '../../src/kernel/app-error.ts'
import type { Claim } from '../../src/ports/waiting-queue.ts'
import { groupSize, type MatcherReport, type ProposalOrder } from './matching-race.ts'
import { experimentId, group } from './waiting-world.ts'

const [url = '', name = '', order] = process.argv.slice(2) as [string, string, ProposalOrder]
process.once('disconnect', () => process.exit()) // The test is over, passed or failed.
const redis = connectRedis(url, () => undefined)
await untilConnected(redis, 60_000)
const waiting = createRedisWaiting(redis)
const podIds = (await createRedisPods(redis).list()).map(({ podId }) => podId).sort()
const report: MatcherReport = { claims: 0, refusals: 0 }
let rooms = 0

/** Retries on a busy machine, with a pause and a limit. */
async function withRetries<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof AppError) || attempt === 50) throw error
      await pace(50)
    }
  }
}

async function readQueue(): Promise<string[]> {
  const { people } = await withRetries(() => waiting.view(experimentId, Date.now()))
  const ids = people.map(({ participantId }) => participantId)
  return order === 'by_arrival' ? ids : ids.sort(() => Math.random() - 0.5)
}

async function claimOn(podId: string, members: string[]): Promise<Claim> {
  const roomId = `room-${name}-${rooms++}`
  const now = Date.now()
  return await withRetries(() => waiting.claim(group(roomId, members, podId), now, now + 15_000))
}

/** Claims the people it saw, leaving out those it learns are gone. */
async function claimAll(people: string[]): Promise<void> {
  let left = people
  let unfitInARow = 0
  while (left.length >= groupSize) {
    const members = left.slice(0, groupSize)
    const claim = await claimOn(podIds[0] ?? '', members)
    if (claim.kind === 'claimed') report.claims++
    else report.refusals++
    unfitInARow = claim.kind === 'pod_unfit' ? unfitInARow + 1 : 0
    // There are as many places as people, so every waiting group fits somewhere.
    if (unfitInARow > podIds.length) throw new Error('no pod accepts a waiting group')
    if (unfitInARow > 0) podIds.push(podIds.shift() ?? '')
    const gone = claim.kind === 'claimed' ? members : claim.kind === 'people_gone' ? claim.participantIds : []
    left = left.filter((id) => !gone.includes(id))
  }
}

let seen = await readQueue()
process.send?.('ready')
await once(process, 'message')
for (; seen.length >= groupSize; seen = await readQueue()) await claimAll(seen)
redis.disconnect()
process.send?.(report)
process.disconnect()
