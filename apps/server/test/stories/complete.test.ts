import { participantRoutes } from '@atrium/contract'
import { codeOf, describeInOneMode, numberedEvent, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, upTo } from './cast.ts'
import { sessionRow } from './database.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

const clockErrorMs = 250
const summary = (totalEvents: number) => ({ totalEvents, duration: 1_000 })

describeInOneMode('POST /api/v4/participant/complete', (world) => {
  const cast = castOf(world)

  test('[R20] a mapped outcome returns the platform’s code, any other is echoed', async () => {
    const experimentId = await cast.open({
      completion: { codes: { SUCCESS: 'C1A2B3', TIMEOUT: 'TIMED-9', constructor: 'odd' } },
    })
    const expected = {
      SUCCESS: 'C1A2B3',
      TIMEOUT: 'TIMED-9',
      SCREENED_OUT: 'SCREENED_OUT',
      NO_CONSENT: 'NO_CONSENT',
      TECHNICAL: 'TECHNICAL',
      ABANDONED: 'ABANDONED',
      toString: 'toString',
      'a literal ü': 'a literal ü',
    }
    for (const [completionCode, code] of Object.entries(expected)) {
      const { session } = await cast.participant(experimentId)
      const { body } = await cast.complete(session, { completionCode, finalState: 's2', summary: summary(0) })
      expect(body).toEqual({
        status: 'success',
        data: { outcome: completionCode, completionCode: code, redirectUrl: '', sessionEnded: true },
      })
    }
  })

  test('[R20,S2] the redirect fills the template with code, participant and metadata, URL-encoded', async () => {
    const redirectUrl =
      'https://recruiter.example/done?cc={{code}}&p={{ participantId }}&id={{metadata.externalId}}&n={{metadata.nothing}}&k={{metadata.kind}}'
    const experimentId = await cast.open({ completion: { codes: { SUCCESS: 'A&B=C/ü' }, redirectUrl } })
    const { session, join } = await cast.participant(experimentId, { externalId: 'p 17&x=1', kind: 3 })
    // A reload often loses the query parameters; the metadata of the first join must survive it.
    const resumed = await join(experimentId)
    expect(succeeded(await cast.complete(resumed)).data.redirectUrl).toBe(
      `https://recruiter.example/done?cc=A%26B%3DC%2F%C3%BC&p=${session.participantId}&id=p%2017%26x%3D1&n=&k=3`,
    )
  })

  test('[R20,S2] metadata of a resume is added to that of the first join', async () => {
    const redirectUrl = 'https://recruiter.example/{{metadata.a}}/{{metadata.b}}'
    const experimentId = await cast.open({ completion: { redirectUrl } })
    const { join } = await cast.participant(experimentId, { a: 'first', b: 'old' })
    const resumed = await join(experimentId, { metadata: { b: 'new' } })
    expect(succeeded(await cast.complete(resumed)).data.redirectUrl).toBe(
      'https://recruiter.example/first/new',
    )
  })

  test('[R22] codes and template come from the revision that the participant joined', async () => {
    const completion = { codes: { SUCCESS: 'OLD' }, redirectUrl: 'https://recruiter.example/old' }
    const experimentId = await cast.open({ completion })
    const { session } = await cast.participant(experimentId)
    await cast.revise(experimentId, { name: 'New', states: [{ id: 's1', components: [] }] })
    expect(succeeded(await cast.complete(session)).data).toMatchObject({
      completionCode: 'OLD',
      redirectUrl: 'https://recruiter.example/old',
    })
  })

  test('[R20] a repeated call gets the same response, even with a different code', async () => {
    const completion = {
      codes: { SUCCESS: 'S', TIMEOUT: 'T' },
      redirectUrl: 'https://recruiter.example/{{code}}',
    }
    const { session } = await cast.participant(await cast.open({ completion }))
    const first = succeeded(await cast.complete(session))
    expect(first.data.completionCode).toBe('S')
    expect(succeeded(await cast.complete(session, { completionCode: 'TIMEOUT' }))).toEqual(first)
    expect(succeeded(await cast.complete(session))).toEqual(first)
  })

  test('[R20] fewer events than the client counted is recorded as a gap', async () => {
    const experimentId = await cast.open()
    const finish = async (sent: number, totalEvents: number) => {
      const { session } = await cast.participant(experimentId)
      if (sent > 0)
        succeeded(
          await cast.send(
            session,
            upTo(sent).map((number) => numberedEvent(number)),
          ),
        )
      succeeded(await cast.complete(session, { summary: summary(totalEvents) }))
    }
    await finish(2, 2)
    await finish(2, 1)
    await finish(0, 0)
    expect((await cast.monitor(experimentId)).sessionsWithGaps).toBe(0)
    await finish(2, 3)
    await finish(0, Number.MAX_SAFE_INTEGER)
    expect(await cast.monitor(experimentId)).toMatchObject({
      sessionsWithGaps: 2,
      events: 6,
      participants: { total: 5, completed: 5, active: 0 },
    })
  })

  test('[R20] requireAllEvents refuses with EVENTS_MISSING, and accepts once they are sent', async () => {
    const experimentId = await cast.open({ completion: { requireAllEvents: true } })
    const { session } = await cast.participant(experimentId)
    succeeded(await cast.send(session, [numberedEvent(1)]))
    expect(refusalOf(await cast.complete(session, { summary: summary(3) }))).toEqual({
      status: 409,
      code: 'EVENTS_MISSING',
      details: { stored: 1, totalEvents: 3 },
    })
    succeeded(await cast.send(session, [numberedEvent(2), numberedEvent(3)]))
    expect(succeeded(await cast.complete(session, { summary: summary(3) })).data.sessionEnded).toBe(true)
    expect((await cast.monitor(experimentId)).sessionsWithGaps).toBe(0)
  })

  test('[R20,S3] events from before a resume count too', async () => {
    const experimentId = await cast.open({ completion: { requireAllEvents: true } })
    const { session, join } = await cast.participant(experimentId)
    succeeded(await cast.send(session, [numberedEvent(1), numberedEvent(2)]))
    const resumed = await join(experimentId)
    succeeded(await cast.send(resumed, [numberedEvent(3)]))
    expect((await cast.complete(resumed, { summary: summary(4) })).status).toBe(409)
    expect((await cast.complete(resumed, { summary: summary(3) })).status).toBe(200)
  })

  test('[R20] history shows the completion', async () => {
    const { session, token } = await cast.participant(
      await cast.open({ completion: { codes: { SUCCESS: 'DONE' } } }),
    )
    const { createdAt } = await sessionRow(world(), session.sessionId)
    succeeded(await cast.complete(session))
    const [item] = await cast.history(token)
    expect(item).toMatchObject({ sessionId: session.sessionId, status: 'completed', completionCode: 'DONE' })
    // Another instance may have decided when it was completed, by a clock that is off by a moment.
    expect(Date.parse(item?.completedAt ?? '')).toBeGreaterThanOrEqual(createdAt - clockErrorMs)
  })

  test('[R20] an unknown final state is accepted', async () => {
    const { session } = await cast.participant(await cast.open())
    expect((await cast.complete(session, { finalState: 'nowhere' })).status).toBe(200)
  })

  test.each<[string, object, string]>([
    ['no code', { completionCode: undefined }, '/completionCode'],
    ['an empty code', { completionCode: '' }, '/completionCode'],
    ['a code that is a number', { completionCode: 5 }, '/completionCode'],
    ['a final state that is a number', { finalState: 5 }, '/finalState'],
    ['a negative count', { summary: { totalEvents: -1, duration: 0 } }, '/summary/totalEvents'],
    ['a duration with a fraction', { summary: { totalEvents: 1, duration: 0.5 } }, '/summary/duration'],
    ['a count that is too large', { summary: { totalEvents: 1e300, duration: 0 } }, '/summary/totalEvents'],
    ['a duration that is too large', { summary: { totalEvents: 0, duration: 1e300 } }, '/summary/duration'],
  ])('[R9] %s is refused, and the session stays active', async (_, wrong, path) => {
    const { session } = await cast.participant(await cast.open())
    const answer = await cast.complete(session, wrong)
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(answer)).toEqual([path])
    expect((await cast.send(session, [numberedEvent(1)])).status).toBe(200)
  })

  test('[R16] a completion that names another experiment or room is SESSION_MISMATCH', async () => {
    const { session } = await cast.participant(await cast.open())
    const body = { completionCode: 'SUCCESS' }
    const inBody = { session, body: { ...body, experimentId: 'exp_elsewhere' } }
    const inQuery = { session, body, query: { roomId: 'room_elsewhere' } }
    for (const options of [inBody, inQuery])
      expect(refusalOf(await cast.api.call(participantRoutes.completeV4, options))).toMatchObject({
        status: 403,
        code: 'SESSION_MISMATCH',
      })
  })

  test('[R15] a session that was replaced cannot complete', async () => {
    const experimentId = await cast.open()
    const { session, join } = await cast.participant(experimentId)
    const resumed = await join(experimentId)
    expect(codeOf(await cast.complete(session))).toBe('SESSION_INVALID')
    expect((await cast.complete(resumed)).status).toBe(200)
  })
})
