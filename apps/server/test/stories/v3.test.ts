import { participantRoutes, type RouteSpec } from '@atrium/contract'
import { codeOf, describeInOneMode, numberedEvent, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { readRows } from '../rooms/rows.ts'
import { castOf, upTo } from './cast.ts'
import { moveExpiry } from './database.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'
import { sendOnWire } from './wire.ts'

const { discoverV3, joinV3, eventsV3, historyV3 } = participantRoutes
const sessionWords = /sess_|stkn_|sessionId|sessionToken|expires/

describeInOneMode('participant API v3', (world) => {
  const cast = castOf(world)
  const join = (token: string, experimentId: string) =>
    cast.api.call(joinV3, { token, body: { experimentId, role: 'participant' } })
  const send = (token: string, body: object, headers: Record<string, string> = {}) =>
    cast.api.call(eventsV3, { token, body, headers })

  test('[R21,X2] discover, join, events and history need only the ID token, and no response contains a session', async () => {
    const experimentId = await cast.open({ name: 'The old way' })
    const { token } = await cast.person()
    const discovered = await cast.api.call(discoverV3, { token })
    expect(Object.keys(discovered.body.data)).toEqual(['experiments'])
    expect(discovered.body.data.experiments).toContainEqual({
      experimentId,
      name: 'The old way',
      status: 'recruiting',
      availableSlots: 2_147_483_647,
    })
    const joined = await join(token, experimentId)
    expect(Object.keys(succeeded(joined).data).sort()).toEqual([
      'consentedAt',
      'experimentConfig',
      'participantId',
      'roomId',
    ])
    const sent = await send(token, { experimentId, events: [numberedEvent(1), numberedEvent(2)] })
    expect(succeeded(sent).data.recorded).toBe(2)
    const listed = await cast.api.call(historyV3, { token })
    expect(succeeded(listed).data.sessions).toEqual([
      {
        experimentId,
        experimentName: 'The old way',
        status: 'active',
        startedAt: expect.any(String),
        completedAt: null,
        completionCode: null,
      },
    ])
    for (const { text } of [discovered, joined, sent, listed])
      expect(text.replace('"sessions"', '')).not.toMatch(sessionWords)
    const stored = await cast.exported(experimentId)
    expect(stored.map(({ data, participantId }) => [data.value, participantId])).toEqual(
      [1, 2].map((value) => [value, joined.body.data.participantId]),
    )
  })

  test('[R21] every call needs the ID token; a session does not replace it', async () => {
    const { session } = await cast.participant(await cast.open())
    for (const route of [discoverV3, joinV3, eventsV3, historyV3])
      for (const options of [{}, { session }])
        expect(
          refusalOf(
            await cast.api.call(route, { ...options, ...(route.method === 'POST' ? { body: {} } : {}) }),
          ),
        ).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  })

  test('[R21] there is no complete', async () => {
    const { token } = await cast.person()
    const answer = await sendOnWire(`${world().any().http}/api/v3/participant/complete`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"completionCode":"SUCCESS"}',
    })
    expect(refusalOf(answer)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(answer.body).toMatchObject({ status: 'error' })
  })

  test('[R21] events name their experiment, which the person must have joined', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.person()
    const events = [numberedEvent(1)]
    const unnamed = await send(token, { events })
    expect(refusalOf(unnamed)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(unnamed)).toEqual(['/experimentId'])
    expect(refusalOf(await send(token, { experimentId, events }))).toMatchObject({
      status: 401,
      code: 'SESSION_INVALID',
    })
    expect(refusalOf(await send(token, { experimentId: 'exp_nowhere', events }))).toMatchObject({
      status: 404,
      code: 'EXPERIMENT_NOT_FOUND',
    })
    succeeded(await join(token, experimentId))
    expect((await send(token, { experimentId, events })).status).toBe(200)
  })

  test('[R16] events that name another experiment or room are SESSION_MISMATCH', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.person()
    succeeded(await join(token, experimentId))
    for (const body of [
      { experimentId, roomId: 'room_elsewhere', events: [numberedEvent(1)] },
      { experimentId, events: [numberedEvent(1, { experimentId: 'exp_elsewhere' })] },
    ])
      expect(refusalOf(await send(token, body))).toMatchObject({ status: 403, code: 'SESSION_MISMATCH' })
    expect(await cast.exported(experimentId)).toEqual([])
  })

  test('[R18] retries are as safe as in v4', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.person()
    succeeded(await join(token, experimentId))
    const headers = { 'idempotency-key': 'batch-1' }
    const body = { experimentId, events: [numberedEvent(1)] }
    const first = succeeded(await send(token, body, headers))
    expect(succeeded(await send(token, body, headers))).toEqual(first)
    const changed = { experimentId, events: [numberedEvent(2)] }
    expect(refusalOf(await send(token, changed, headers))).toMatchObject({ status: 422 })
    expect(await cast.exported(experimentId)).toHaveLength(1)
  })

  test('[R55] keys and event ids are remembered after joining again', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.person()
    succeeded(await join(token, experimentId))
    const headers = { 'idempotency-key': 'batch-1' }
    const named = numberedEvent(2, { eventId: 'e2' })
    const body = { experimentId, events: [numberedEvent(1)] }
    const first = succeeded(await send(token, body, headers))
    succeeded(await send(token, { experimentId, events: [named] }))
    succeeded(await join(token, experimentId))
    expect(succeeded(await send(token, body, headers))).toEqual(first)
    succeeded(await send(token, { experimentId, events: [named] }))
    const changed = { experimentId, events: [numberedEvent(3)] }
    expect(refusalOf(await send(token, changed, headers))).toMatchObject({
      status: 422,
      code: 'IDEMPOTENCY_CONFLICT',
    })
    expect((await cast.exported(experimentId)).map(({ data }) => data.value)).toEqual([1, 2])
  })

  test('[S12] however often a person joins again, their history has one row, which starts at the first join', async () => {
    const [experimentId, other] = [await cast.open({ name: 'Often' }), await cast.open({ name: 'Once' })]
    const { token } = await cast.person()
    const rows = async () => succeeded(await cast.api.call(historyV3, { token })).data.sessions
    succeeded(await join(token, experimentId))
    const [first] = await rows()
    for (const _ of upTo(2)) succeeded(await join(token, experimentId))
    expect(await rows()).toEqual([first])
    expect(first).toMatchObject({ experimentId, status: 'active', completionCode: null })
    succeeded(await join(token, other))
    expect((await rows()).map(({ experimentName }) => experimentName)).toEqual(['Once', 'Often'])
  })

  test('[S4] somebody whose 24 hours are over goes on without joining again, as the same participant', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.person()
    const { participantId } = succeeded(await join(token, experimentId)).data
    const ofPerson = `select session_id from sessions where participant_id = '${participantId}'`
    const [former] = await readRows(world(), ofPerson)
    await moveExpiry(world(), String(former?.session_id), Date.now() - 1_000)
    succeeded(await send(token, { experimentId, events: [numberedEvent(1)] }))
    expect(await readRows(world(), ofPerson)).toHaveLength(2)
    expect((await cast.exported(experimentId)).map((line) => line.participantId)).toEqual([participantId])
    const { sessions } = succeeded(await cast.api.call(historyV3, { token })).data
    expect(sessions).toMatchObject([{ experimentId, status: 'active' }])
  })

  test('[R14] concurrent joins create one participant, who can continue', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.person()
    const joined = await Promise.all(upTo(4).map(() => join(token, experimentId)))
    expect(new Set(joined.map((answer) => succeeded(answer).data.participantId)).size).toBe(1)
    for (const number of upTo(2))
      expect((await send(token, { experimentId, events: [numberedEvent(number)] })).status).toBe(200)
  })

  test('[R21] v3 continues what v4 began, and is closed once v4 has completed', async () => {
    const experimentId = await cast.open()
    const { token, session } = await cast.participant(experimentId)
    const body = { experimentId, events: [numberedEvent(1)] }
    expect((await send(token, body)).status).toBe(200)
    succeeded(await cast.send(session, [numberedEvent(2)]))
    expect((await cast.exported(experimentId)).map(({ seq }) => seq)).toEqual([1, 2])
    succeeded(await cast.complete(session))
    expect(refusalOf(await send(token, body))).toMatchObject({ status: 409, code: 'SESSION_COMPLETED' })
    expect(refusalOf(await join(token, experimentId))).toMatchObject({
      status: 409,
      details: { reason: 'already_completed' },
    })
  })

  test('[R10] the limits are the same as in v4, per user', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.person()
    const rows: [number, () => ReturnType<typeof cast.api.call<RouteSpec>>][] = [
      [5, () => join(token, experimentId)],
      [10, () => cast.api.call(historyV3, { token })],
      [20, () => cast.api.call(discoverV3, { token })],
      [100, () => send(token, { experimentId, events: [] })],
    ]
    for (const [limit, call] of rows) {
      for (const number of upTo(limit)) {
        const { headers } = await call()
        expect(headers.get('x-ratelimit-limit')).toBe(String(limit))
        expect(headers.get('x-ratelimit-remaining')).toBe(String(limit - number))
      }
      const refused = await call()
      expect(codeOf(refused)).toBe('RATE_LIMITED')
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    const { token: other } = await cast.person()
    expect((await join(other, experimentId)).status).toBe(200)
  })
})

describeInOneMode(
  'USE_V4_PARTICIPANT_API=false',
  (world) => {
    const cast = castOf(world)
    /** The v3 route at its v4 address. */
    const atV4 = <Spec extends RouteSpec>(route: Spec): Spec => ({
      ...route,
      path: route.path.replace('/v3/', '/v4/'),
    })

    test('[R3] the v4 addresses are served by v3', async () => {
      const experimentId = await cast.open()
      const { token } = await cast.person()
      const body = { experimentId }
      const joined = await cast.api.call(atV4(joinV3), { token, body, query: { lang: 'en' } })
      expect(succeeded(joined).data).not.toHaveProperty('sessionId')
      const found = succeeded(await cast.api.call(atV4(discoverV3), { token })).data
      expect(found).not.toHaveProperty('session')
      expect(found.experiments.map((experiment) => experiment.experimentId)).toContain(experimentId)
      const events = { ...body, events: [numberedEvent(1)] }
      expect((await cast.api.call(atV4(eventsV3), { token, body: events })).status).toBe(200)
      expect((await cast.api.call(eventsV3, { token, body: events })).status).toBe(200)
      const { sessions } = succeeded(await cast.api.call(atV4(historyV3), { token })).data
      expect(sessions).toHaveLength(1)
      expect(sessions[0]).not.toHaveProperty('sessionId')
    })

    test('[R3] there is no complete, and no session', async () => {
      const { token } = await cast.person()
      const headers = { authorization: `Bearer ${token}` }
      const address = `${world().any().http}/api/v4/participant`
      const complete = await sendOnWire(`${address}/complete`, { method: 'POST', headers })
      expect(refusalOf(complete)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
      const discover = await sendOnWire(`${address}/discover`, { headers: { 'x-session-id': 'sess_x' } })
      expect(refusalOf(discover)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    })
  },
  { env: { USE_V4_PARTICIPANT_API: 'false' } },
)
