import { experimentRoutes } from '@atrium/contract'
import { describeInOneMode, numberedEvent, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { pseudonymOf } from '../../src/kernel/ids.ts'
import { castOf, upTo } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

describeInOneMode('what a researcher sees', (world) => {
  const cast = castOf(world)
  const token = async () => (await cast.researcher()).token

  test('[R23] the export groups each participant’s events, oldest first, across a resume', async () => {
    const experimentId = await cast.open()
    const first = await cast.participant(experimentId)
    const second = await cast.participant(experimentId)
    succeeded(await cast.send(second.session, [numberedEvent(1)]))
    succeeded(await cast.send(first.session, [numberedEvent(2), numberedEvent(3)]))
    const resumed = await first.join(experimentId)
    succeeded(await cast.send(resumed, [numberedEvent(4)]))
    succeeded(await cast.send(second.session, [numberedEvent(5)]))
    succeeded(await cast.send(resumed, [numberedEvent(6)]))
    const lines = await cast.exported(experimentId)
    expect(
      lines.map(({ participantId, sessionId, seq, data }) => [participantId, sessionId, seq, data.value]),
    ).toEqual([
      [first.session.participantId, pseudonymOf(first.session.sessionId), 1, 2],
      [first.session.participantId, pseudonymOf(first.session.sessionId), 2, 3],
      [first.session.participantId, pseudonymOf(resumed.sessionId), 1, 4],
      [first.session.participantId, pseudonymOf(resumed.sessionId), 2, 6],
      [second.session.participantId, pseudonymOf(second.session.sessionId), 1, 1],
      [second.session.participantId, pseudonymOf(second.session.sessionId), 2, 5],
    ])
  })

  test('[R23] an export of several pages is complete and in order', async () => {
    const experimentId = await cast.open()
    const expected: [string, number][] = []
    for (const events of [600, 1_000, 0, 700, 1_001]) {
      const { session } = await cast.participant(experimentId)
      for (let sent = 0; sent < events; sent += 500) {
        const batch = upTo(Math.min(500, events - sent)).map((number) => numberedEvent(sent + number))
        succeeded(await cast.send(session, batch))
      }
      expected.push(...upTo(events).map((seq): [string, number] => [pseudonymOf(session.sessionId), seq]))
    }
    const lines = await cast.exported(experimentId)
    expect(lines.map(({ sessionId, seq }) => [sessionId, seq])).toEqual(expected)
    expect(lines.every(({ seq, data }) => seq === data.value)).toBe(true)
  })

  test('[R47] the export is of events in JSONL unless it is asked for otherwise; other values are refused', async () => {
    const experimentId = await cast.open()
    const options = { token: await token(), params: { experimentId } }
    const plain = await cast.api.call(experimentRoutes.export, options)
    expect([plain.status, plain.text]).toEqual([200, ''])
    expect(plain.headers.get('content-type')).toMatch(/^application\/x-ndjson/)
    const csv = await cast.api.call(experimentRoutes.export, { ...options, query: { format: 'csv' } })
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(csv.headers.get('content-disposition')).toBe(`attachment; filename="${experimentId}-events.csv"`)
    for (const query of [
      { format: 'xlsx' },
      { table: 'people' },
      { from: 'yesterday' },
      { to: '2026-13-01' },
      { from: '2026-01-01T00:00' },
      { revision: '0' },
      { status: 'lost' },
      { table: 'agent_turns', status: 'open' },
    ]) {
      const answer = await cast.api.call(experimentRoutes.export, { ...options, query })
      expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    }
  })

  test('[R22] the export gives the revision that the participant joined', async () => {
    const experimentId = await cast.open()
    const { session } = await cast.participant(experimentId)
    await cast.revise(experimentId, smallestDefinition({ states: [{ id: 'other', components: [] }] }))
    succeeded(await cast.send(session, [numberedEvent(1)]))
    const { session: newcomer } = await cast.participant(experimentId)
    succeeded(await cast.send(newcomer, [numberedEvent(2)]))
    expect(await cast.exported(experimentId)).toMatchObject([
      { revision: 1, flags: [] },
      { revision: 2, flags: ['unknown_state', 'unknown_component'] },
    ])
  })

  test('[R23] the monitor counts participants, rooms and events', async () => {
    const experimentId = await cast.open({ capacity: 10 })
    expect(await cast.monitor(experimentId)).toEqual({
      experimentId,
      status: 'recruiting',
      revision: 1,
      availableSlots: 10,
      participants: { total: 0, active: 0, completed: 0 },
      outcomes: {},
      openRooms: 0,
      events: 0,
      sessionsWithGaps: 0,
      lastEventAt: null,
    })
    const [done, resuming] = [await cast.participant(experimentId), await cast.participant(experimentId)]
    await cast.participant(experimentId)
    succeeded(await cast.send(done.session, [numberedEvent(1), numberedEvent(2)]))
    succeeded(await cast.send(resuming.session, [numberedEvent(3)]))
    const resumed = await resuming.join(experimentId)
    const last = succeeded(await cast.send(resumed, [numberedEvent(4)]))
    succeeded(await cast.complete(done.session))
    expect(await cast.monitor(experimentId)).toEqual({
      experimentId,
      status: 'recruiting',
      revision: 1,
      availableSlots: 7,
      participants: { total: 3, active: 2, completed: 1 },
      outcomes: { SUCCESS: 1 },
      openRooms: 2,
      events: 4,
      sessionsWithGaps: 0,
      lastEventAt: last.data.serverTimestamp,
    })
  })

  const activity = async (experimentId: string, query: Record<string, string> = {}) =>
    await cast.api.call(experimentRoutes.activity, { token: await token(), params: { experimentId }, query })

  test('[X5] the activity is the same series on every server', async () => {
    const experimentId = await cast.open()
    // The clock of the servers may differ from ours by milliseconds.
    const began = Date.now() - 1_000
    const [done, resuming] = [await cast.participant(experimentId), await cast.participant(experimentId)]
    succeeded(await cast.send(done.session, [numberedEvent(1), numberedEvent(2)]))
    succeeded(await cast.send(resuming.session, [numberedEvent(3)]))
    const resumed = await resuming.join(experimentId)
    succeeded(
      await cast.send(
        resumed,
        upTo(400).map((number) => numberedEvent(number)),
      ),
    )
    succeeded(await cast.complete(done.session))
    for (const [query, bucketMs] of [
      [{}, 30_000],
      [{ minutes: '60' }, 30_000],
      [{ minutes: '10080' }, 7_200_000],
    ] as const) {
      const series = succeeded(await activity(experimentId, query))
      expect(series.bucketMs).toBe(bucketMs)
      expect(series.buckets.length).toBeLessThanOrEqual(120)
      expect(series.buckets.map(({ at }) => at)).toEqual(
        series.buckets.map((_, place) => series.from + place * bucketMs),
      )
      expect(series.to).toBe(series.from + series.buckets.length * bucketMs)
      const sum = (of: 'joined' | 'completed' | 'events') =>
        series.buckets.reduce((total, bucket) => total + bucket[of], 0)
      expect([sum('joined'), sum('completed'), sum('events')]).toEqual([2, 1, 403])
      for (const { at, ...counts } of series.buckets)
        if (at + bucketMs <= began) expect(counts).toEqual({ joined: 0, completed: 0, events: 0 })
    }
  })

  test('[X5] an experiment without events has zeros, and only whole minutes up to a week can be requested', async () => {
    const experimentId = await cast.open()
    const { buckets } = succeeded(await activity(experimentId, { minutes: '1' }))
    expect(buckets.map(({ at: _at, ...counts }) => counts)).toEqual(
      upTo(60).map(() => ({ joined: 0, completed: 0, events: 0 })),
    )
    expect(refusalOf(await activity('exp_nothing'))).toMatchObject({
      status: 404,
      code: 'EXPERIMENT_NOT_FOUND',
    })
    for (const minutes of ['0', '10081', '-5', '1.5', '', 'x', '1e3', '0x10']) {
      const answer = await activity(experimentId, { minutes })
      expect([minutes, refusalOf(answer).code, issuePathsOf(answer)]).toEqual([
        minutes,
        'VALIDATION_FAILED',
        ['/minutes'],
      ])
    }
  })
})
