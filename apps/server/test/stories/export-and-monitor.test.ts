import { experimentRoutes } from '@atrium/contract'
import { describeInBothModes, numberedEvent, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, upTo } from './cast.ts'
import { refusalOf } from './refusal.ts'

describeInBothModes('what a researcher gets to see', (world) => {
  const cast = castOf(world)
  const token = async () => (await cast.researcher()).token

  test('[R23] the export has each participant’s events together, oldest first, across a resume', async () => {
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
      [first.session.participantId, first.session.sessionId, 1, 2],
      [first.session.participantId, first.session.sessionId, 2, 3],
      [first.session.participantId, resumed.sessionId, 1, 4],
      [first.session.participantId, resumed.sessionId, 2, 6],
      [second.session.participantId, second.session.sessionId, 1, 1],
      [second.session.participantId, second.session.sessionId, 2, 5],
    ])
  })

  test('[R23] an export of several pages is whole and in order', async () => {
    const experimentId = await cast.open()
    const expected: [string, number][] = []
    for (const events of [600, 1_000, 0, 700, 1_001]) {
      const { session } = await cast.participant(experimentId)
      for (let sent = 0; sent < events; sent += 500) {
        const batch = upTo(Math.min(500, events - sent)).map((number) => numberedEvent(sent + number))
        succeeded(await cast.send(session, batch))
      }
      expected.push(...upTo(events).map((seq): [string, number] => [session.sessionId, seq]))
    }
    const lines = await cast.exported(experimentId)
    expect(lines.map(({ sessionId, seq }) => [sessionId, seq])).toEqual(expected)
    expect(lines.every(({ seq, data }) => seq === data.value)).toBe(true)
  })

  test('[R23] the export is JSONL, and no other format is known', async () => {
    const experimentId = await cast.open()
    const options = { token: await token(), params: { experimentId } }
    const plain = await cast.api.call(experimentRoutes.export, options)
    expect([plain.status, plain.text]).toEqual([200, ''])
    expect(plain.headers.get('content-type')).toMatch(/^application\/x-ndjson/)
    const csv = await cast.api.call(experimentRoutes.export, { ...options, query: { format: 'csv' } })
    expect(refusalOf(csv)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
  })

  test('[R22] the export tells the revision that the participant joined', async () => {
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
      openRooms: 2,
      events: 4,
      sessionsWithGaps: 0,
      lastEventAt: last.data.serverTimestamp,
    })
  })
})
