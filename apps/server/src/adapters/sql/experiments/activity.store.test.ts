import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  joined,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import type { BucketCount } from '../../../modules/experiments/experiments.store.ts'

const bucketMs = 1_000
const window = { from: startOfTime, to: startOfTime + 10 * bucketMs, bucketMs }

describeOnBothEngines('activity', (engine) => {
  const activity = async (experimentId: string, during = window) => {
    const { joined, completed, events } = await engine().database.experiments.activity(experimentId, during)
    return { joined: totals(joined), completed: totals(completed), events: totals(events) }
  }
  const send = async (sessionId: string, receivedAt: number, count = 1) =>
    await engine().database.events.append([
      aBatch(
        sessionId,
        Array.from({ length: count }, (_, number) => anEvent(number)),
        { receivedAt },
      ),
    ])
  const comes = async (experimentId: string, now: number, subject?: string) =>
    await joined(engine().database, experimentId, {
      now,
      expiresAt: now + oneDayMs,
      ...(subject === undefined ? {} : { person: { issuer: 'urn:test', subject } }),
    })

  test('[X5] the first moment of the window counts, the first after it does not', async () => {
    const experimentId = await openExperiment(engine().database)
    for (const now of [window.from - 1, window.from, window.from + 999, window.from + 1_000, window.to - 1])
      await comes(experimentId, now)
    const late = await comes(experimentId, window.to)
    const early = await comes(experimentId, window.from - oneDayMs / 2)
    for (const at of [window.from - 1, window.from, window.from, window.to - 1, window.to])
      await send(early.sessionId, at, 2)
    await send(late.sessionId, window.to + 5)
    expect(await activity(experimentId)).toEqual({
      joined: { 0: 2, 1: 1, 9: 1 },
      completed: {},
      events: { 0: 4, 9: 2 },
    })
  })

  test('[X5] completions count when they happen, and joins once, even for people who came back', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const first = await comes(experimentId, startOfTime - 5_000, 'returns')
    await send(first.sessionId, startOfTime + 100)
    const again = await comes(experimentId, startOfTime + 2_000, 'returns')
    await send(again.sessionId, startOfTime + 2_500, 3)
    await database.sessions.complete(completeRequest(again.sessionId, { completedAt: startOfTime + 4_000 }))
    const other = await comes(experimentId, startOfTime + 1_000)
    await database.sessions.complete(completeRequest(other.sessionId, { completedAt: window.to }))
    expect(await activity(experimentId)).toEqual({
      joined: { 1: 1 },
      completed: { 4: 1 },
      // The former session was revoked when its participant came back, but its events still count.
      events: { 0: 1, 2: 3 },
    })
  })

  test('[X5] expired sessions are counted up to their end', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const { sessionId } = await comes(experimentId, startOfTime + 500 - oneDayMs)
    await send(sessionId, startOfTime + 400)
    await database.sessions.expire(startOfTime + 30_000)
    expect((await database.sessions.find(sessionId))?.status).toBe('expired')
    expect((await activity(experimentId)).events).toEqual({ 0: 1 })
  })

  test('[X5] nothing from another experiment, or none, is counted', async () => {
    const { database } = engine()
    const [own, other] = [await openExperiment(database), await openExperiment(database)]
    const { sessionId } = await comes(other, startOfTime)
    await send(sessionId, startOfTime + 1)
    await database.sessions.complete(completeRequest(sessionId))
    expect(await activity(own)).toEqual({ joined: {}, completed: {}, events: {} })
    expect(await activity('exp_unknown')).toEqual({ joined: {}, completed: {}, events: {} })
  })

  test('[X5] many events of many sessions, counted in parts, are all counted', async () => {
    const experimentId = await openExperiment(engine().database)
    // More than one part holds, in one stream and over several.
    const sizes = [21_000, 8_000, 8_000, 8_000, 1]
    for (const [index, size] of sizes.entries()) {
      const { sessionId } = await comes(experimentId, startOfTime - 1)
      await send(sessionId, startOfTime + index * bucketMs, size)
      await send(sessionId, startOfTime + 9 * bucketMs)
    }
    expect((await activity(experimentId)).events).toEqual({
      ...Object.fromEntries(sizes.map((size, index) => [index, size])),
      9: sizes.length,
    })
  })

  test('[X5] a week is counted as precisely as a minute', async () => {
    const experimentId = await openExperiment(engine().database)
    const week = { from: startOfTime, to: startOfTime + 84 * 7_200_000, bucketMs: 7_200_000 }
    for (const day of [0, 3, 6]) {
      const { sessionId } = await comes(experimentId, startOfTime + day * oneDayMs)
      await send(sessionId, startOfTime + day * oneDayMs + 7_199_999, 2)
      await send(sessionId, startOfTime + day * oneDayMs + 7_200_000)
    }
    expect(await activity(experimentId, week)).toEqual({
      joined: { 0: 1, 36: 1, 72: 1 },
      completed: {},
      events: { 0: 2, 1: 1, 36: 2, 37: 1, 72: 2, 73: 1 },
    })
  })
})

function totals(counts: BucketCount[]): Record<number, number> {
  const summed: Record<number, number> = {}
  for (const { bucket, count } of counts) summed[bucket] = (summed[bucket] ?? 0) + count
  return summed
}
