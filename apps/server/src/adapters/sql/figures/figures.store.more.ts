import { isLongRun } from '@atrium/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anAgentAppend, aPilot, aRoomWithAgents } from '../../../../test/stores/agent-samples.ts'
import { countByHand, inBuckets, tallyByHand } from '../../../../test/stores/counted-by-hand.ts'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import { partOf, storedByOlderServer, variedEvent } from '../../../../test/stores/figure-samples.ts'
import {
  aBatch,
  completeRequest,
  joined,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import type { BucketCount } from '../../../modules/experiments/experiments.store.ts'
import { activityWindow } from '../../../modules/experiments/index.ts'
import { listMissedStreams } from './missed-streams.sql.ts'

/** What may happen to an experiment; `who` and `size` choose among what is there. */
const kinds = [
  ...['join', 'come back', 'send', 'send', 'send twice', 'send at once', 'complete', 'complete with a gap'],
  ...[
    'agent',
    'pilot',
    'delete',
    'older server sends',
    'older server opens',
    'fold',
    'count missed',
    'wait',
    'compare',
  ],
] as const
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  who: fc.nat(20),
  size: fc.integer({ min: 1, max: 12 }),
  waitMs: fc.constantFrom(1, 900, 25_000, 3_600_000, oneDayMs, 4 * oneDayMs),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

describeOnBothEngines('figures', (engine) => {
  /** On SQLite a newer server runs only afterwards, and looks for what they left when it starts. On PostgreSQL a trigger notices. */
  async function olderServerSends(sessionId: string, at: number): Promise<void> {
    const { kind, change } = engine()
    await change(storedByOlderServer(sessionId, at))
    if (kind === 'sqlite') await change(listMissedStreams)
  }

  /** One experiment, to which steps happen one after the other, at a time that never goes back. */
  async function history() {
    const { database, change, rows } = engine()
    const experimentId = await openExperiment(database)
    const [pilotRoom = ''] = await aPilot(database, experimentId)
    await database.rooms.claim(pilotRoom, 'pod-0', 'seed')
    const shared = await aRoomWithAgents(database, experimentId)
    await database.rooms.claim(shared.roomId, 'pod-0', 'seed')
    const logs = new Map<string, number>()
    const people = [{ subject: 'first', sessionId: shared.sessionId }]
    let now = startOfTime
    let keys = 0
    let isAnyoneDeleted = false

    const comes = async (subject: string) =>
      await joined(database, experimentId, {
        person: { issuer: 'urn:test', subject: `${experimentId} ${subject}` },
        now,
        expiresAt: now + 100 * oneDayMs,
        allowRepeat: true,
      })
    const batch = (sessionId: string, size: number, key: string | null = null) =>
      aBatch(
        sessionId,
        Array.from({ length: size }, (_, number) => variedEvent(number, size)),
        { receivedAt: now, idempotencyKey: key, bodyHash: key ?? '' },
      )
    const send = (sessionId: string, size: number, key: string | null = null) =>
      database.events.append([batch(sessionId, size, key)])
    const someone = (who: number) => people[who % people.length] ?? people[0]
    const agentActs = async (roomId: string) => {
      const number = (logs.get(roomId) ?? 0) + 1
      logs.set(roomId, number)
      const append = anAgentAppend(experimentId, roomId, { number, at: now })
      await database.rooms.append([
        roomId === shared.roomId
          ? { ...append, records: [...append.records, ...partOf(shared.participantId, number)] }
          : append,
      ])
    }

    async function deletePerson(sessionId: string): Promise<void> {
      const [row] = await rows(`select participant_id from sessions where session_id = '${sessionId}'`)
      await database.privacy.erase({
        experimentId,
        participantId: String(row?.participant_id),
        condition: null,
        actor: 'ada',
        requestedBy: 'researcher',
        erasedId: 'erased_1',
        now,
        room: null,
      })
    }

    async function take({ kind, who, size, waitMs }: Step): Promise<void> {
      const sessionId = someone(who)?.sessionId ?? ''
      switch (kind) {
        case 'join': {
          const subject = `person-${people.length}`
          people.push({ subject, sessionId: (await comes(subject)).sessionId })
          break
        }
        case 'come back': {
          const person = someone(who)
          if (person && person.subject !== 'first') person.sessionId = (await comes(person.subject)).sessionId
          break
        }
        case 'send':
          await send(sessionId, size)
          break
        case 'send twice': {
          const key = `key-${keys++}`
          await Promise.all([send(sessionId, size, key), send(sessionId, size, key)])
          await send(sessionId, size, key)
          break
        }
        case 'send at once':
          await Promise.all([
            ...people.map((person) => send(person.sessionId, size)),
            database.figures.countMissed(now),
            database.figures.fold(now),
            agentActs(shared.roomId),
          ])
          break
        case 'complete':
        case 'complete with a gap':
          await database.sessions.complete({
            ...completeRequest(sessionId, { completedAt: now, outcome: size < 6 ? 'SUCCESS' : 'TIMEOUT' }),
            claimedEvents: kind === 'complete' ? null : 1_000,
          })
          break
        case 'delete': {
          const person = someone(who)
          if (!person || person.subject === 'first') break
          await deletePerson(person.sessionId)
          isAnyoneDeleted = true
          people.splice(people.indexOf(person), 1)
          break
        }
        case 'agent':
          await agentActs(shared.roomId)
          break
        case 'pilot':
          await agentActs(pilotRoom)
          break
        case 'older server sends':
          await olderServerSends(sessionId, now)
          break
        case 'older server opens':
          await change(
            `update event_streams set experiment_id = null, kind = null
            where session_id = '${sessionId}' and last_seq = 0`,
          )
          break
        case 'fold':
          await database.figures.fold(now)
          break
        case 'count missed':
          await database.figures.countMissed(now)
          break
        case 'wait':
          now += waitMs
          break
        case 'compare':
          await compare()
      }
    }

    async function compare(): Promise<void> {
      const byHand = await countByHand(engine(), experimentId)
      const monitor = await database.experiments.monitor(experimentId, now)
      expect(monitor).toMatchObject({
        events: byHand.events.length + byHand.agentEvents,
        sessionsWithGaps: byHand.gaps,
        outcomes: byHand.outcomes,
      })
      // When the last event came stays known, also if it was an event of somebody who is deleted.
      if (!isAnyoneDeleted)
        expect(monitor?.lastEventAt).toBe(
          byHand.events.length === 0 ? null : new Date(Math.max(...byHand.events)).toISOString(),
        )
      expect(monitor?.participants).toMatchObject({
        total: byHand.joined.length,
        completed: byHand.outcomes.SUCCESS ?? 0,
      })
      for (const minutes of [1, 10, 60, 61, 24 * 60, 7 * 24 * 60]) {
        const window = activityWindow(minutes, now)
        const counts = await database.experiments.activity(experimentId, window)
        expect(counted(counts.joined)).toEqual(inBuckets(byHand.joined, window))
        expect(counted(counts.completed)).toEqual(inBuckets(byHand.completed, window))
        expect(counted(counts.events)).toEqual(inBuckets(byHand.events, window))
      }
      const { days, tallies } = await database.experiments.plots(experimentId)
      const inDays = (times: number[]) =>
        Object.values(Object.groupBy(times, dayOf)).map((day) => day?.length)
      expect(days.map(({ at }) => at)).toEqual(
        [...new Set([...byHand.joined, ...byHand.completed].map(dayOf))].sort(),
      )
      expect(days.map(({ joined }) => joined).filter(Boolean)).toEqual(inDays(byHand.joined.toSorted()))
      expect(days.map((day) => day.completed).filter(Boolean)).toEqual(inDays(byHand.completed.toSorted()))
      expect(
        Object.fromEntries(
          tallies.map(({ kind, origin, stateId, componentId, bucket, count }) => [
            [kind, origin, stateId, componentId, bucket].join(' '),
            count,
          ]),
        ),
      ).toEqual(await tallyByHand(engine(), experimentId))
    }

    /** Until nothing is left to do. */
    async function settle(): Promise<void> {
      while (await database.figures.countMissed(now));
      while (await database.figures.fold(now));
    }
    return { experimentId, take, compare, settle, send, people, at: () => now }
  }

  test('[X50] figures equal a count over everything that is stored, whatever has happened', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 30 }), async (steps) => {
        const { take, compare, settle } = await history()
        for (const one of steps) await take(one)
        await compare()
        await settle()
        await compare()
      }),
      { numRuns: isLongRun ? 60 : 3 },
    )
  })

  test('[X51] events that a server without figures has stored are counted at once, and once', async () => {
    const { database, rows } = engine()
    const { take, compare, settle, send, people, at } = await history()
    const sessionId = people[0]?.sessionId ?? ''
    await send(sessionId, 3)
    await olderServerSends(sessionId, at())
    // What a newer server stores behind them waits with them, so that the mark stays the end of what is counted.
    await send(sessionId, 2)
    await compare()
    const marks = async () =>
      await rows(`select counted_seq, last_seq from event_streams where session_id = '${sessionId}'`)
    expect(await marks()).toEqual([{ counted_seq: 3, last_seq: 6 }])
    await settle()
    expect(await marks()).toEqual([{ counted_seq: 6, last_seq: 6 }])
    expect(await rows('select * from uncounted_streams')).toEqual([])
    expect(await rows('select * from figure_deltas')).toEqual([])
    await compare()
    await send(sessionId, 1)
    expect(await marks()).toEqual([{ counted_seq: 7, last_seq: 7 }])
    await take({ kind: 'compare', who: 0, size: 1, waitMs: 1 })
    expect(await database.figures.countMissed(at())).toBe(false)
  })

  test('[X51] a long stream is counted in steps, and figures are right between them', async () => {
    const { database, rows } = engine()
    const { compare, send, settle, people, at } = await history()
    const sessionId = people[0]?.sessionId ?? ''
    await send(sessionId, 12_001)
    const { change } = engine()
    // As before migration 0019.
    await change("delete from figure_deltas where kind = 'events'")
    await change(`update event_streams set counted_seq = 0 where session_id = '${sessionId}'`)
    await change(`insert into uncounted_streams
      select stream_no from event_streams where session_id = '${sessionId}'`)
    const seen = []
    do {
      await compare()
      await database.figures.fold(at())
      await compare()
      const [row] = await rows(`select counted_seq from event_streams where session_id = '${sessionId}'`)
      seen.push(row?.counted_seq)
    } while (await database.figures.countMissed(at()))
    expect(seen).toEqual([0, 5_000, 10_000])
    await settle()
    await compare()
  })

  test('[X53] what a deleted person did is in no plot any more, folded or not', async () => {
    const { database } = engine()
    const { experimentId, take, compare, settle } = await history()
    const step = { who: 1, size: 11, waitMs: oneDayMs }
    const total = async () => {
      const { days, tallies } = await database.experiments.plots(experimentId)
      return [days.length, tallies.length > 0]
    }
    for (const isSettled of [false, true]) {
      await take({ ...step, kind: 'wait' })
      await take({ ...step, kind: 'join' })
      await take({ ...step, kind: 'send' })
      expect(await total()).toEqual([2, true])
      if (isSettled) await settle()
      await take({ ...step, kind: 'delete' })
      expect(await total()).toEqual([1, false])
      await compare()
    }
  })

  test('[X52] what nobody asks for any more is forgotten, and totals stay', async () => {
    const { database, rows } = engine()
    const { experimentId, take, send, people, compare, settle, at } = await history()
    const sessionId = people[0]?.sessionId ?? ''
    for (let second = 0; second < 5; second++) {
      await send(sessionId, 1)
      await take({ kind: 'wait', who: 0, size: 1, waitMs: 900 })
    }
    await settle()
    const kept = async () =>
      await rows(`select resolution_ms, sum(events) as events from activity_counts
        where experiment_id = '${experimentId}' group by resolution_ms order by resolution_ms`)
    const each = (...resolutions: number[]) =>
      resolutions.map((resolution_ms) => ({ resolution_ms, events: expect.anything() }))
    expect(await kept()).toEqual(each(1_000, 5_000, 60_000, 300_000, 3_600_000, oneDayMs))
    await database.figures.fold(at() + 4 * oneDayMs)
    expect(await kept()).toEqual(each(3_600_000, oneDayMs))
    await database.figures.fold(at() + 9 * oneDayMs)
    expect(await kept()).toEqual(each(oneDayMs))
    await take({ kind: 'wait', who: 0, size: 1, waitMs: 4 * oneDayMs })
    await take({ kind: 'wait', who: 0, size: 1, waitMs: 4 * oneDayMs })
    await compare()
  })
})

const dayOf = (at: number): number => at - (at % oneDayMs)

function counted(counts: readonly BucketCount[]): Record<number, number> {
  const summed: Record<number, number> = {}
  for (const { bucket, count } of counts) summed[bucket] = (summed[bucket] ?? 0) + count
  // What came and was deleted since adds up to nothing.
  return Object.fromEntries(Object.entries(summed).filter(([, count]) => count !== 0))
}
