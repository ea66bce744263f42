import { allRoutes, experimentRoutes, identityRoutes, participantRoutes } from '@atrium/contract'
import { codeOf, describeInOneMode, numberedEvent, smallestDefinition, succeeded } from '@atrium/testkit'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { castOf } from './cast.ts'
import { refusalOf } from './refusal.ts'

describeInOneMode('POST /api/participant/guest', (world) => {
  const cast = castOf(world)
  const ask = (body: object) => cast.api.call(identityRoutes.guest, { body })
  const guest = async (body: object) => succeeded(await ask(body))
  /** How the researcher identifies a person. */
  async function joinAs(body: { experimentId: string; externalId?: string; guestSecret?: string }) {
    const { idToken, guestSecret } = await guest(body)
    const { data } = succeeded(await cast.join(idToken, { experimentId: body.experimentId }))
    return { ...data, idToken, guestSecret }
  }

  test('[R51,G1] a guest joins without an account; the token names the person and the experiment, but no role', async () => {
    const experimentId = await cast.open()
    const { idToken, guestSecret } = await guest({ experimentId })
    expect(guestSecret).toMatch(/^gst_[\w-]{86}$/)
    expect(decodeProtectedHeader(idToken)).toEqual({ alg: 'ES256', kid: 'guests' })
    const claims = decodeJwt(idToken)
    expect(Object.keys(claims).toSorted()).toEqual([
      'aud',
      'device',
      'exp',
      'experiment_id',
      'iat',
      'iss',
      'sub',
    ])
    expect(claims).toMatchObject({ iss: 'urn:atrium:guests', experiment_id: experimentId })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(600)
    expect((await cast.join(idToken, { experimentId })).status).toBe(200)
    expect(await cast.history(idToken)).toMatchObject([{ experimentId, status: 'active' }])
  })

  test('[R51,G5] without an id the secret identifies the person, even one who first came with an id', async () => {
    const experimentId = await cast.open()
    const first = await joinAs({ experimentId })
    const stranger = await joinAs({ experimentId })
    expect(stranger.participantId).not.toBe(first.participantId)
    const again = await joinAs({ experimentId, guestSecret: first.guestSecret })
    expect([again.participantId, again.guestSecret]).toEqual([first.participantId, first.guestSecret])

    const known = await joinAs({ experimentId, externalId: 'p-1' })
    const reloaded = await joinAs({ experimentId, guestSecret: known.guestSecret })
    expect(reloaded.participantId).toBe(known.participantId)
    // The next person at the same computer: the link counts, not what the browser has kept.
    const next = await joinAs({ experimentId, externalId: 'p-2', guestSecret: known.guestSecret })
    expect(next.participantId).not.toBe(known.participantId)
  })

  test('[R51,G6] a secret that was not issued for this experiment is refused', async () => {
    const [experimentId, other] = [await cast.open(), await cast.open()]
    const { guestSecret } = await guest({ experimentId: other })
    const flipped = `${guestSecret.slice(0, 10)}${guestSecret[10] === 'A' ? 'B' : 'A'}${guestSecret.slice(11)}`
    for (const secret of [guestSecret, flipped, 'gst_', 'x', guestSecret.slice(0, -1)])
      expect(refusalOf(await ask({ experimentId, guestSecret: secret }))).toMatchObject({
        status: 401,
        code: 'UNAUTHENTICATED',
        details: { reason: 'guest_secret' },
      })
    expect(codeOf(await ask({ experimentId: other, guestSecret: flipped }))).toBe('UNAUTHENTICATED')
  })

  test('[G12,G13,R59] whoever guesses an external id learns of no code, no session and no participation, before and after the end', async () => {
    const completion = { codes: { TIMEOUT: 'C-OUT' }, redirectUrl: 'https://pay.example/?code={{code}}' }
    const experimentId = await cast.open({ completion, withdrawal: 'all' })
    // Asked for in advance, when nobody had this id yet.
    const early = await guest({ experimentId, externalId: '17' })
    const owner = await joinAs({ experimentId, externalId: '17' })
    const { guestSecret } = early
    const guesses = [{ externalId: '17' }, { externalId: '17', guestSecret }, { guestSecret }]
    const toldTo = async (guess: object) => {
      const { idToken: token } = await guest({ experimentId, ...guess })
      const { historyV4, historyV3 } = participantRoutes
      const answers = [await cast.api.call(historyV4, { token }), await cast.api.call(historyV3, { token })]
      return answers.map(({ status, text }) => `${status} ${text}`)
    }
    /** Not even that somebody with this id has taken part. */
    async function expectNothingTold() {
      const toStrangers = await toldTo({ externalId: 'nobody-has-this-id' })
      for (const guess of guesses) expect(await toldTo(guess)).toEqual(toStrangers)
    }
    await expectNothingTold()
    const own = await cast.history(owner.idToken)
    expect(own).toMatchObject([{ sessionId: expect.stringMatching(/^ses_[\w-]{22}$/), status: 'active' }])
    succeeded(await cast.complete(owner, { completionCode: 'TIMEOUT' }))
    await expectNothingTold()
    for (const token of [early.idToken, (await guest({ experimentId, externalId: '17' })).idToken])
      expect(refusalOf(await cast.join(token, { experimentId }))).toEqual({
        status: 409,
        code: 'EXPERIMENT_CLOSED',
        details: { reason: 'already_completed' },
      })
    // The browser that took part, with its secret.
    const { idToken } = await guest({ experimentId, externalId: '17', guestSecret: owner.guestSecret })
    expect(await cast.history(idToken)).toMatchObject([{ status: 'completed', completionCode: 'C-OUT' }])
    expect(refusalOf(await cast.join(idToken, { experimentId }))).toMatchObject({
      status: 409,
      details: {
        completionCode: 'C-OUT',
        redirectUrl: 'https://pay.example/?code=C-OUT',
        withdrawal: { deletes: 'all', sessionId: owner.sessionId },
      },
    })
  })

  test('[R51,G12,G7,G16] a fresh device with the right id continues, and has the code of what it completes', async () => {
    const experimentId = await cast.open({ completion: { codes: { TIMEOUT: 'C-OUT' } } })
    const laptop = await joinAs({ experimentId, externalId: 'p-1' })
    const phone = await joinAs({ experimentId, externalId: 'p-1' })
    expect(phone.participantId).toBe(laptop.participantId)
    // In v3 too, a device has to join before it writes into what another began.
    const sendV3 = (token: string) =>
      cast.api.call(participantRoutes.eventsV3, { token, body: { experimentId, events: [numberedEvent(1)] } })
    expect(codeOf(await sendV3(laptop.idToken))).toBe('SESSION_INVALID')
    expect((await sendV3(phone.idToken)).status).toBe(200)
    const { data } = succeeded(await cast.complete(phone, { completionCode: 'TIMEOUT' }))
    expect(data.completionCode).toBe('C-OUT')
    const again = await guest({ experimentId, externalId: 'p-1', guestSecret: phone.guestSecret })
    const shown = async (token: string) => (await cast.history(token)).map((item) => item.completionCode)
    expect(await shown(again.idToken)).toEqual(['C-OUT'])
    expect(await shown(laptop.idToken)).toEqual([null])
  })

  test('[R51,G8] a guest’s token is good for that experiment’s join and history, and for nothing else', async () => {
    const [experimentId, other] = [await cast.open(), await cast.open()]
    const { idToken: token } = await joinAs({ experimentId, externalId: 'p-1' })
    const forbidden = { status: 403, code: 'FORBIDDEN' }
    for (const route of [participantRoutes.joinV4, participantRoutes.joinV3])
      expect(refusalOf(await cast.api.call(route, { token, body: { experimentId: other } }))).toMatchObject(
        forbidden,
      )
    const events = [numberedEvent(1)]
    const sendV3 = (id: string) =>
      cast.api.call(participantRoutes.eventsV3, { token, body: { experimentId: id, events } })
    expect((await sendV3(experimentId)).status).toBe(200)
    expect(refusalOf(await sendV3(other))).toMatchObject(forbidden)
    expect((await cast.api.call(participantRoutes.historyV3, { token })).status).toBe(200)

    const closed = allRoutes.filter(
      ({ auth, guests }) => !['none', 'session', 'internal'].includes(auth) && !guests,
    )
    expect(closed).toContain(participantRoutes.discoverV3)
    for (const route of closed) {
      const params = { experimentId, roomId: 'room_x', participantId: 'part_x', sessionId: 'ses_x' }
      const answer = await cast.api.call(route, { token, params, ...(route.body ? { body: {} } : {}) })
      expect(refusalOf(answer), `${route.method} ${route.path}`).toMatchObject(forbidden)
    }
  })

  test('[R51] `access: "signed_in"`[G7,G9]  turns new guests away, but not those who have already joined', async () => {
    const experimentId = await cast.open()
    const early = await joinAs({ experimentId, externalId: 'early' })
    const { idToken: unused } = await guest({ experimentId, externalId: 'late' })
    await cast.revise(experimentId, smallestDefinition({ access: 'signed_in' }))
    for (const body of [{ experimentId }, { experimentId, externalId: 'late' }]) {
      const answer = await ask(body)
      expect(refusalOf(answer)).toEqual({
        status: 403,
        code: 'FORBIDDEN',
        details: { reason: 'signed_in' },
      })
      expect(answer.text).toContain('only for people who sign in')
    }
    // A token from before the change joins no more, but those who are in can continue.
    for (const route of [participantRoutes.joinV4, participantRoutes.joinV3])
      expect(refusalOf(await cast.api.call(route, { token: unused, body: { experimentId } }))).toMatchObject({
        status: 403,
        details: { reason: 'signed_in' },
      })
    expect((await cast.join(early.idToken, { experimentId })).status).toBe(200)
    const { participantId } = await joinAs({ experimentId, guestSecret: early.guestSecret })
    expect(participantId).toBe(early.participantId)
    const { token } = await cast.person()
    expect((await cast.join(token, { experimentId })).status).toBe(200)

    const { token: researcher } = await cast.researcher()
    const create = (access: unknown) =>
      cast.api.call(experimentRoutes.create, { token: researcher, body: { ...smallestDefinition(), access } })
    expect((await create('anyone')).status).toBe(201)
    expect(refusalOf(await create('friends'))).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
  })

  test('[R51,G9,G14] unknown and closed experiments are refused as by join; people who have joined can continue', async () => {
    expect(refusalOf(await ask({ experimentId: 'exp_none' }))).toMatchObject({
      status: 404,
      code: 'EXPERIMENT_NOT_FOUND',
    })
    const completion = { codes: { TIMEOUT: 'C-OUT' } }
    const experimentId = await cast.open({ completion })
    const staying = await joinAs({ experimentId, externalId: 'staying' })
    const done = await joinAs({ experimentId })
    succeeded(await cast.complete(done, { completionCode: 'TIMEOUT' }))
    const researcher = await cast.researcher()
    for (const status of ['paused', 'closed', 'archived'] as const) {
      await researcher.setStatus(experimentId, status)
      // Who only names an id is not told whether it is known (G14).
      for (const externalId of [undefined, 'new', 'staying'])
        expect(refusalOf(await ask({ experimentId, externalId }))).toEqual({
          status: 409,
          code: 'EXPERIMENT_CLOSED',
          details: { reason: 'status' },
        })
      // Participants who have completed can still see the code.
      const { idToken } = await guest({ experimentId, guestSecret: done.guestSecret })
      expect(await cast.history(idToken)).toMatchObject([{ status: 'completed', completionCode: 'C-OUT' }])
      if (status === 'paused') {
        const { guestSecret } = staying
        const { participantId } = await joinAs({ experimentId, externalId: 'staying', guestSecret })
        expect(participantId).toBe(staying.participantId)
      }
    }
  })

  const placeholders = [
    '{{%PROLIFIC_PID%}}',
    '{{PROLIFIC_PID}}',
    '[[id]]',
    '%PROLIFIC_PID%',
    'prolific:{{%X%}}',
  ]
  test.each(placeholders)(
    '[R51,G10] %s identifies nobody: everyone who sends it is a new person',
    async (externalId) => {
      const experimentId = await cast.open()
      const [one, two] = [
        await joinAs({ experimentId, externalId }),
        await joinAs({ experimentId, externalId }),
      ]
      expect(one.participantId).not.toBe(two.participantId)
      const again = await joinAs({ experimentId, externalId, guestSecret: one.guestSecret })
      expect(again.participantId).toBe(one.participantId)
    },
  )

  test('[R51,G10,G11,X46] a placeholder in the metadata is not an id; the id of a guest is stored with the join', async () => {
    const redirectUrl =
      'https://recruiter.example/?pid={{metadata.PROLIFIC_PID}}&id={{metadata.externalId}}&flag={{metadata.unfilledParameters}}'
    const experimentId = await cast.open({ completion: { redirectUrl } })
    async function redirectOf(externalId: string, metadata: object): Promise<URLSearchParams> {
      const { idToken } = await guest({ experimentId, externalId })
      const { data } = succeeded(await cast.join(idToken, { experimentId, metadata }))
      const ended = succeeded(await cast.complete(data, { completionCode: 'TIMEOUT' }))
      return new URL(ended.data.redirectUrl).searchParams
    }
    const preview = { PROLIFIC_PID: '{{%PROLIFIC_PID%}}', STUDY_ID: '{{%STUDY_ID%}}', note: 'a {{b}}' }
    expect(Object.fromEntries(await redirectOf('{{%PROLIFIC_PID%}}', preview))).toEqual({
      pid: '',
      id: '',
      flag: '["PROLIFIC_PID","STUDY_ID"]',
    })
    expect(Object.fromEntries(await redirectOf('p-1', {}))).toEqual({ pid: '', id: 'p-1', flag: '' })
    const arrival = { PROLIFIC_PID: 'p-2', externalId: 'p-2', source: 'prolific' }
    expect(Object.fromEntries(await redirectOf('prolific:p-2', arrival))).toEqual({
      pid: 'p-2',
      id: 'p-2',
      flag: '',
    })
    // Whoever asks for a token with their own id cannot be paid for somebody else.
    expect((await redirectOf('attacker', { externalId: 'victim' })).get('id')).toBe('attacker')
    expect((await redirectOf('prolific:p-3', { ...arrival, externalId: 'p-4' })).get('id')).toBe(
      'prolific:p-3',
    )
  })

  test.each<[string, object]>([
    ['no experiment', {}],
    ['an id that is too long', { experimentId: 'x', externalId: 'x'.repeat(256) }],
    ['an empty id', { experimentId: 'x', externalId: '' }],
    ['NUL in the id', { experimentId: 'x', externalId: 'a\0b' }],
    ['an id that is not a text', { experimentId: 'x', externalId: 7 }],
    ['a secret that is too long', { experimentId: 'x', guestSecret: 'x'.repeat(201) }],
    ['a secret that is not a text', { experimentId: 'x', guestSecret: [] }],
  ])('[R51] a body with %s is refused', async (_what, body) => {
    expect(refusalOf(await ask(body))).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
  })
})
