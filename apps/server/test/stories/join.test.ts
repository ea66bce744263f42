import { type ExperimentStatus, experimentRoutes, limits } from '@atrium/contract'
import { codeOf, describeInOneMode, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { castOf, upTo } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

describeInOneMode('POST /api/v4/participant/join', (world) => {
  const cast = castOf(world)

  test('[R12] the response contains the session, the participant, the room and the experiment', async () => {
    const globalComponents = [{ id: 'clock', type: 'timer' }]
    const { name, states } = smallestDefinition()
    const { token } = await cast.person()
    const before = Date.now()
    const { body } = await cast.join(token, {
      experimentId: await cast.open({ globalComponents, variables: { secret: 1 } }),
      role: 'participant',
      metadata: { source: 'prolific', externalId: 'p-17' },
    })
    expect(body.status).toBe('success')
    expect(body.data).toEqual({
      sessionId: expect.stringMatching(/^sess_[A-Za-z0-9_-]{43}$/),
      sessionToken: expect.stringMatching(/^stkn_[A-Za-z0-9_-]{43}$/),
      participantId: expect.stringMatching(/^part_/),
      roomId: expect.stringMatching(/^room_/),
      role: 'participant',
      experimentConfig: { name, language: 'en', states, globalComponents },
      consentedAt: null,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    })
    // Between `before` and now, by a clock that may differ from ours by milliseconds.
    const startedAt = Date.parse(body.data.expiresAt) - limits.sessionLifetimeMs
    expect(startedAt).toBeGreaterThanOrEqual(before - 1_000)
    expect(startedAt).toBeLessThanOrEqual(Date.now() + 1_000)
  })

  test('[R12] no two sessions share an id, a token, a participant or a room', async () => {
    const experimentId = await cast.open()
    const joined = await Promise.all(upTo(8).map(() => cast.participant(experimentId)))
    for (const pick of ['sessionId', 'sessionToken', 'participantId', 'roomId'] as const)
      expect(new Set(joined.map(({ session }) => session[pick])).size).toBe(8)
  })

  test('[R17] the role is `participant` or one that the experiment declares', async () => {
    const experimentId = await cast.open({ roles: ['buyer', { id: 'seller', name: 'Seller' }] })
    for (const role of [undefined, 'participant', 'buyer', 'seller']) {
      const { token } = await cast.person()
      expect((await cast.join(token, { experimentId, ...(role ? { role } : {}) })).status).toBe(200)
    }
    const { token } = await cast.person()
    const refused = await cast.join(token, { experimentId, role: 'auctioneer' })
    expect(refusalOf(refused)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(refused)).toEqual(['/role'])
  })

  test('[R11] metadata may take 8 KiB, counted in bytes', async () => {
    const experimentId = await cast.open()
    const { token } = await cast.person()
    const ofBytes = (bytes: number) => ({ note: 'x'.repeat(bytes - '{"note":""}'.length) })
    const most = await cast.join(token, { experimentId, metadata: ofBytes(limits.metadataBytes) })
    expect(most.status).toBe(200)
    for (const metadata of [ofBytes(limits.metadataBytes + 1), { note: 'é'.repeat(5_000) }]) {
      const refused = await cast.join(token, { experimentId, metadata })
      expect(refusalOf(refused)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
      expect(issuePathsOf(refused)).toEqual(['/metadata'])
    }
  })

  test.each<[string, unknown, string]>([
    ['no experiment', {}, '/experimentId'],
    ['an experiment that is not a text', { experimentId: 7 }, '/experimentId'],
    ['metadata that is a list', { experimentId: 'x', metadata: [] }, '/metadata'],
    ['a role that is not a text', { experimentId: 'x', role: {} }, '/role'],
    ['a list', [], ''],
  ])('[R9] a body with %s is refused with the path of the error', async (_, body, path) => {
    const { token } = await cast.person()
    const answer = await cast.join(token, body as object)
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(answer)).toContain(path)
  })

  test('[R9] a missing or bad ID token is UNAUTHENTICATED', async () => {
    const experimentId = await cast.open()
    for (const token of ['', 'not.a.token', `${(await cast.person()).token}x`])
      expect(refusalOf(await cast.join(token, { experimentId }))).toMatchObject({
        status: 401,
        code: 'UNAUTHENTICATED',
      })
  })

  test('[R9] an unknown experiment is EXPERIMENT_NOT_FOUND', async () => {
    const { token } = await cast.person()
    expect(refusalOf(await cast.join(token, { experimentId: 'exp_nowhere' }))).toMatchObject({
      status: 404,
      code: 'EXPERIMENT_NOT_FOUND',
    })
  })

  test('[R22] people can join only a recruiting experiment', async () => {
    const researcher = await cast.researcher()
    const { token: person } = await cast.person()
    const created = await cast.api.call(experimentRoutes.create, {
      token: researcher.token,
      body: smallestDefinition(),
    })
    const { experimentId } = succeeded(created)
    const refused = { status: 409, code: 'EXPERIMENT_CLOSED', details: { reason: 'status' } }
    expect(refusalOf(await cast.join(person, { experimentId }))).toMatchObject(refused)
    for (const status of ['recruiting', 'paused', 'closed', 'archived'] satisfies ExperimentStatus[]) {
      await researcher.setStatus(experimentId, status)
      if (status === 'recruiting') continue
      expect(refusalOf(await cast.join(person, { experimentId }))).toMatchObject(refused)
    }
  })

  test('[R9] a full experiment is EXPERIMENT_CLOSED/full, but people who have joined can come back', async () => {
    const experimentId = await cast.open({ capacity: 1 })
    const inside = await cast.participant(experimentId)
    const { token } = await cast.person()
    expect(refusalOf(await cast.join(token, { experimentId }))).toMatchObject({
      status: 409,
      code: 'EXPERIMENT_CLOSED',
      details: { reason: 'full' },
    })
    expect((await inside.join(experimentId)).participantId).toBe(inside.session.participantId)
  })

  test('[R23a] a capacity that is set later counts people who have already joined', async () => {
    const experimentId = await cast.open()
    await cast.participant(experimentId)
    await cast.participant(experimentId)
    await cast.revise(experimentId, smallestDefinition({ capacity: 3 }))
    await cast.participant(experimentId)
    const { token } = await cast.person()
    expect(refusalOf(await cast.join(token, { experimentId })).details).toEqual({ reason: 'full' })
  })

  test('[R14,S1] people who have joined can come back while the experiment is paused or closed, but not once it is archived', async () => {
    const experimentId = await cast.open()
    const { session, join, token } = await cast.participant(experimentId)
    const researcher = await cast.researcher()
    for (const status of ['paused', 'closed'] as const) {
      await researcher.setStatus(experimentId, status)
      expect((await join(experimentId)).participantId).toBe(session.participantId)
    }
    await researcher.setStatus(experimentId, 'archived')
    expect(refusalOf(await cast.join(token, { experimentId })).details).toEqual({ reason: 'status' })
  })

  test('[R14] after completion a join is EXPERIMENT_CLOSED/already_completed', async () => {
    const experimentId = await cast.open()
    const { session, token } = await cast.participant(experimentId)
    succeeded(await cast.complete(session))
    expect(refusalOf(await cast.join(token, { experimentId }))).toMatchObject({
      status: 409,
      code: 'EXPERIMENT_CLOSED',
      details: { reason: 'already_completed' },
    })
  })

  test('[R14] if repeats are allowed, a join after completion creates a new participant, who takes a place', async () => {
    const experimentId = await cast.open({ completion: { allowRepeat: true }, capacity: 2 })
    const { session: first, join, token } = await cast.participant(experimentId)
    // Not before: an unfinished participation would be resumed.
    const resumed = await join(experimentId)
    expect(resumed.participantId).toBe(first.participantId)
    succeeded(await cast.complete(resumed))
    const second = await join(experimentId)
    expect(second.participantId).not.toBe(first.participantId)
    expect(second.roomId).not.toBe(first.roomId)
    succeeded(await cast.complete(second))
    expect(refusalOf(await cast.join(token, { experimentId })).details).toEqual({ reason: 'full' })
  })

  test('[R17] a solo participant gets a room at once; a group waits', async () => {
    const alone = await cast.participant(await cast.open({ matching: { groupSize: 1 } }))
    expect(alone.session.roomId).toMatch(/^room_[A-Za-z0-9_-]+$/)
    for (const groupSize of [2, { min: 1, max: 3 }]) {
      const experimentId = await cast.open({ matching: { groupSize } })
      const { session, join } = await cast.participant(experimentId)
      expect(session.roomId).toBe(`waiting_${experimentId}`)
      expect((await join(experimentId)).roomId).toBe(`waiting_${experimentId}`)
      const query = { roomId: `waiting_${experimentId}` }
      expect(codeOf(await cast.discover(session, { query }))).toBe('SESSION_INVALID')
    }
  })

  test('[R22] participants stay on the revision they joined', async () => {
    const experimentId = await cast.open({ name: 'First wording' })
    const { session, join, token } = await cast.participant(experimentId)
    const revised = smallestDefinition({ name: 'Second wording', states: [{ id: 'other', components: [] }] })
    expect(await cast.revise(experimentId, revised)).toMatchObject({ revision: 2 })
    const resumed = await join(experimentId)
    expect(resumed.experimentConfig).toEqual(session.experimentConfig)
    expect(resumed.experimentConfig.name).toBe('First wording')
    expect((await cast.history(token)).map((item) => item.experimentName)).toEqual([
      'First wording',
      'First wording',
    ])
    const { session: newcomer } = await cast.participant(experimentId)
    expect(newcomer.experimentConfig).toEqual({ ...revised, language: 'en', globalComponents: [] })
  })

  test('[S45] participants read the study in the language that they prefer, and may change it', async () => {
    const written = {
      languages: ['en', 'de'],
      name: { en: 'Mood', de: 'Stimmung' },
      consent: { text: { en: 'Agreed?', de: 'Einverstanden?' } },
    }
    // The type of a definition has plain texts, because that is what everything but its author reads.
    const experimentId = await cast.open(written as unknown as { name: string })
    const { token } = await cast.person()
    const configFor = async (languages?: string[]) => {
      const { body } = await cast.join(token, { experimentId, ...(languages && { languages }) })
      return body.data.experimentConfig
    }
    expect(await configFor(['fr', 'de-AT', 'en'])).toMatchObject({
      language: 'de',
      name: 'Stimmung',
      consent: { text: 'Einverstanden?' },
    })
    expect(await configFor(['fr'])).toMatchObject({
      language: 'en',
      name: 'Mood',
      consent: { text: 'Agreed?' },
    })
    expect(await configFor()).toMatchObject({ language: 'en' })
    const refused = await cast.join(token, { experimentId, languages: ['x'.repeat(36)] })
    expect(codeOf(refused)).toBe('VALIDATION_FAILED')
  })
})
