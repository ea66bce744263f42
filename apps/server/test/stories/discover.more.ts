import { experimentRoutes, unlimitedSlots } from '@atrium/contract'
import { describeInOneMode, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, type Session } from './cast.ts'
import { refusalOf } from './refusal.ts'
import { sendOnWire } from './wire.ts'

describeInOneMode('GET /api/v4/participant/discover', (world) => {
  const cast = castOf(world)
  const discovered = async (session: Session) => succeeded(await cast.discover(session)).data
  const listed = async (session: Session, experimentId: string) =>
    (await discovered(session)).experiments.find((experiment) => experiment.experimentId === experimentId)

  test('[R8] the response contains the experiments and the session, and nothing else', async () => {
    const experimentId = await cast.open({ name: 'Found it' })
    const { session } = await cast.participant(experimentId)
    const { body } = await cast.discover(session)
    expect(Object.keys(body).sort()).toEqual(['data', 'status'])
    expect(body.status).toBe('success')
    expect(Object.keys(body.data).sort()).toEqual(['experiments', 'session'])
    expect(await listed(session, experimentId)).toEqual({
      experimentId,
      name: 'Found it',
      status: 'recruiting',
      availableSlots: unlimitedSlots,
    })
  })

  test('[R15] a new session is valid for 24 hours, given in seconds', async () => {
    const experimentId = await cast.open()
    const before = Date.now()
    const { session } = await cast.participant(experimentId)
    const { valid, expiresIn } = (await discovered(session)).session
    // timing: the elapsed time is what the response reports.
    const passedSeconds = Math.ceil((Date.now() - before) / 1000)
    expect(valid).toBe(true)
    expect(expiresIn).toBeGreaterThanOrEqual(86_400 - passedSeconds - 1)
    expect(expiresIn).toBeLessThanOrEqual(86_400)
  })

  test('[R22] only recruiting experiments are listed', async () => {
    const { session } = await cast.participant(await cast.open())
    const researcher = await cast.researcher()
    const draft = await cast.api.call(experimentRoutes.create, {
      token: researcher.token,
      body: smallestDefinition(),
    })
    expect(await listed(session, succeeded(draft).experimentId)).toBeUndefined()
    const experimentId = await cast.open()
    expect(await listed(session, experimentId)).toBeDefined()
    for (const status of ['paused', 'recruiting', 'closed', 'archived'] as const) {
      await researcher.setStatus(experimentId, status)
      expect([status, (await listed(session, experimentId)) !== undefined]).toEqual([
        status,
        status === 'recruiting',
      ])
    }
  })

  test('[R22] availableSlots counts down when people join, not when they resume', async () => {
    const experimentId = await cast.open({ capacity: 2 })
    const { session: watcher } = await cast.participant(await cast.open())
    const slots = async () => (await listed(watcher, experimentId))?.availableSlots
    expect(await slots()).toBe(2)
    const first = await cast.participant(experimentId)
    expect(await slots()).toBe(1)
    await first.join(experimentId)
    expect(await slots()).toBe(1)
    expect(await listed(watcher, experimentId)).not.toHaveProperty('full')
    await cast.participant(experimentId)
    expect(await slots()).toBe(0)
  })

  test('[R22] a full experiment is marked until it has a place again', async () => {
    const experimentId = await cast.open({ capacity: 1 })
    const { session } = await cast.participant(experimentId)
    expect(await listed(session, experimentId)).toMatchObject({ availableSlots: 0, full: true })
    await cast.revise(experimentId, smallestDefinition({ capacity: 2 }))
    expect(await listed(session, experimentId)).toMatchObject({ availableSlots: 1 })
    expect(await listed(session, experimentId)).not.toHaveProperty('full')
  })

  test('[R22] availableSlots follows a changed capacity and counts everyone who has joined', async () => {
    const experimentId = await cast.open()
    const { session } = await cast.participant(experimentId)
    await cast.participant(experimentId)
    const slots = async () => (await listed(session, experimentId))?.availableSlots
    expect(await slots()).toBe(unlimitedSlots)
    await cast.revise(experimentId, smallestDefinition({ capacity: 5 }))
    expect(await slots()).toBe(3)
    await cast.revise(experimentId, smallestDefinition({ capacity: 1 }))
    expect(await slots()).toBe(0)
    await cast.revise(experimentId, smallestDefinition())
    expect(await slots()).toBe(unlimitedSlots)
  })

  test.each<[string, Record<string, string | string[]>]>([
    ['missing', {}],
    ['empty', { 'x-session-id': '' }],
    ['unknown', { 'x-session-id': `sess_${'A'.repeat(43)}` }],
    ['not a session id at all', { 'x-session-id': "' or 1=1 --" }],
  ])('[R9] a session header that is %s is SESSION_INVALID', async (_, headers) => {
    const answer = await sendOnWire(`${world().any().http}/api/v4/participant/discover`, { headers })
    expect(refusalOf(answer)).toMatchObject({ status: 401, code: 'SESSION_INVALID' })
  })

  test('[R9] a repeated session header is SESSION_INVALID, even if both values are the same', async () => {
    const { session } = await cast.participant(await cast.open())
    const headers = { 'user-agent': 'atrium-test/1.0', 'x-session-id': session.sessionId }
    const address = `${world().any().http}/api/v4/participant/discover`
    expect((await sendOnWire(address, { headers })).status).toBe(200)
    const twice = { ...headers, 'x-session-id': [session.sessionId, session.sessionId] }
    expect(refusalOf(await sendOnWire(address, { headers: twice }))).toMatchObject({
      status: 401,
      code: 'SESSION_INVALID',
    })
  })

  test('[R5] an ID token is not accepted as a session', async () => {
    const { token } = await cast.person()
    const answer = await sendOnWire(`${world().any().http}/api/v4/participant/discover`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(refusalOf(answer).code).toBe('SESSION_INVALID')
  })

  test('[R16] a query that names another experiment or room is SESSION_MISMATCH', async () => {
    const experimentId = await cast.open()
    const { session } = await cast.participant(experimentId)
    const { session: other } = await cast.participant(await cast.open())
    for (const query of [
      { experimentId: 'exp_elsewhere' },
      { roomId: other.roomId },
      { experimentId, roomId: other.roomId },
    ])
      expect(refusalOf(await cast.discover(session, { query }))).toMatchObject({
        status: 403,
        code: 'SESSION_MISMATCH',
      })
    const right = await cast.discover(session, { query: { experimentId, roomId: session.roomId } })
    expect(right.status).toBe(200)
  })

  test('[R15] a completed session cannot discover anything', async () => {
    const { session } = await cast.participant(await cast.open())
    succeeded(await cast.complete(session))
    expect(refusalOf(await cast.discover(session))).toMatchObject({ status: 409, code: 'SESSION_COMPLETED' })
  })
})
