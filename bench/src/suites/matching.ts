import { connectRedis, untilConnected } from '@atrium/program'
import { startRedis } from '@atrium/testkit'
import { createRedisPods } from '../../../apps/server/src/adapters/redis/pod-directory.ts'
import { createRedisWaiting } from '../../../apps/server/src/adapters/redis/waiting-queue.ts'
import type { Group, WaitingPerson, WaitingQueue } from '../../../apps/server/src/ports/waiting-queue.ts'
import { percentile } from '../harness/measure.ts'
import type { BenchOptions } from '../options.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'
import { findingsOfParts, type PartsResult, playWithParts, textOfParts } from './matching-parts.ts'

const steps = ['PING', 'claim', 'keep, claim, settle'] as const
type StepName = (typeof steps)[number]

export interface MatchingResult {
  parts: PartsResult
  rounds: number
  p50Micros: Record<StepName, number>
}

const experimentId = 'exp_bench'
const podId = 'pod_bench'
const peoplePerGroup = 4
const longMs = 3_600_000

/** What it costs to match one group without contention, compared with the cheapest Redis command. */
export async function benchMatching({ seconds }: BenchOptions): Promise<MatchingResult> {
  const program = await startRedis()
  const redis = connectRedis(program.url, () => undefined)
  try {
    await untilConnected(redis, 5_000)
    const limits = { maxRooms: 20, maxParticipants: 80 }
    await createRedisPods(redis).renew(
      podId,
      { address: 'http://localhost', draining: false, ...limits },
      longMs,
    )
    const waiting = createRedisWaiting(redis)
    await measureFor((seconds * 1000) / 5, () => redis.ping(), waiting) // Warm-up
    const measured = await measureFor(seconds * 1000, () => redis.ping(), waiting)
    return { ...measured, parts: playWithParts() }
  } finally {
    redis.disconnect()
    await program.stop()
  }
}

/** The steps take turns, so that other load on the machine affects all of them alike. */
async function measureFor(
  ms: number,
  ping: () => Promise<unknown>,
  waiting: WaitingQueue,
): Promise<Omit<MatchingResult, 'parts'>> {
  const micros: Record<StepName, number[]> = { PING: [], claim: [], 'keep, claim, settle': [] }
  const until = performance.now() + ms
  do {
    const startedAt = performance.now()
    await ping()
    const pongAt = performance.now()
    const claimMs = await matchOne(waiting)
    micros.PING.push((pongAt - startedAt) * 1000)
    micros.claim.push(claimMs * 1000)
    micros['keep, claim, settle'].push((performance.now() - pongAt) * 1000)
  } while (performance.now() < until)
  const p50 = (name: StepName) => percentile(new Float64Array(micros[name]).sort(), 0.5)
  return {
    rounds: micros.PING.length,
    p50Micros: { PING: p50('PING'), claim: p50('claim'), 'keep, claim, settle': p50('keep, claim, settle') },
  }
}

/** A group arrives, is claimed and gets its room. Returns the duration of the claim. */
async function matchOne(waiting: WaitingQueue): Promise<number> {
  const now = Date.now()
  const people = Array.from({ length: peoplePerGroup }, () => personArriving(now))
  const group: Group = {
    roomId: `room_${crypto.randomUUID()}`,
    experimentId,
    podId,
    agents: [],
    members: people.map(({ participantId, role }) => ({ participantId, role })),
  }
  await waiting.keep(experimentId, people, now + 10_000, now)
  const startedAt = performance.now()
  const claim = await waiting.claim(group, now, now + 15_000)
  const claimMs = performance.now() - startedAt
  if (claim.kind !== 'claimed') throw new Error(`an uncontested claim was refused: ${claim.kind}`)
  await waiting.settle(group)
  return claimMs
}

const personArriving = (arrivedAt: number): WaitingPerson => ({
  participantId: `part_${crypto.randomUUID()}`,
  arrivedAt,
  revision: 1,
  role: 'participant',
  attributes: { language: 'en', age: 31 },
})

export function renderMatching({ rounds, p50Micros, parts }: MatchingResult): Section {
  const rows = steps.map((name) => [
    name,
    p50Micros[name].toFixed(0),
    (p50Micros[name] / p50Micros.PING).toFixed(2),
  ])
  const text = `## Matching a group of ${peoplePerGroup}, over Redis

${table(['sequentially on one connection', 'p50 µs', '÷ PING'], rows)}

- ${rounds} groups. *Claim* is the one atomic step: it checks that everyone is still waiting and the pod is alive and within
  its limits, and reserves the room and its seats. The last row is a group's whole way through the queue in three steps.

${textOfParts(parts)}`
  const toPing = (step: StepName) => ({
    what: `Time, ${step} ÷ PING`,
    value: p50Micros[step] / p50Micros.PING,
  })
  return { text, findings: [toPing('claim'), toPing('keep, claim, settle'), ...findingsOfParts(parts)] }
}
