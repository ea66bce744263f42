import { type ExperimentDefinition, participantRoutes, roomRoutes } from '@atrium/contract'
import {
  createApi,
  describeInOneMode,
  numberedEvent,
  openRoomSocket,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { shakeHands } from '../security/shake-hands.ts'
import { castOf, upTo } from './cast.ts'
import { refusalOf } from './refusal.ts'

const consent = { consent: { text: 'Your answers are stored without your name.' } }
const answered = (type: 'consent_given' | 'consent_declined', more: object = {}) => ({
  type,
  timestamp: 1_700_000_000_000,
  data: { readMs: 9_000 },
  ...more,
})
const given = answered('consent_given')
const declined = answered('consent_declined')
const required = { status: 403, code: 'CONSENT_REQUIRED' }

describeInOneMode('Consent', (world) => {
  const cast = castOf(world)
  const typesIn = async (experimentId: string) => (await cast.exported(experimentId)).map(({ type }) => type)

  /** A participant who has joined their own experiment, which asks for consent. */
  async function asked(more: Partial<ExperimentDefinition> = {}) {
    const experimentId = await cast.open({ ...consent, ...more })
    return { experimentId, ...(await cast.participant(experimentId)) }
  }

  /** The outcome of a handshake on each instance. */
  async function handshakes(namespace: '/waiting' | '/experiment', session: Session): Promise<string[]> {
    const codes: string[] = []
    for (const { http } of world().servers) {
      const query = namespace === '/experiment' ? { roomId: session.roomId } : {}
      const { code, socket } = await shakeHands(http, namespace, { session, query })
      codes.push(code)
      socket.close()
    }
    return codes
  }
  type Session = Awaited<ReturnType<typeof asked>>['session']
  const everywhere = (code: string) => world().servers.map(() => code)

  test('[R38] before it is given, no other event is stored and no code is returned', async () => {
    const { experimentId, session } = await asked()
    expect(session).toMatchObject({ consentedAt: null, experimentConfig: consent })
    expect(refusalOf(await cast.send(session, [numberedEvent(1)]))).toMatchObject(required)
    expect(refusalOf(await cast.send(session, [numberedEvent(1), given]))).toMatchObject(required)
    for (const completionCode of ['SUCCESS', 'MY-OWN-CODE'])
      expect(refusalOf(await cast.complete(session, { completionCode }))).toMatchObject(required)
    expect(await cast.exported(experimentId)).toEqual([])
    succeeded(await cast.send(session, [given]))
    succeeded(await cast.send(session, [numberedEvent(1)]))
    succeeded(await cast.complete(session))
    expect(await typesIn(experimentId)).toEqual(['consent_given', 'component_response'])
  })

  test('[E9] it may be the first event of a batch; a refused batch stores nothing', async () => {
    const { experimentId, session } = await asked()
    for (const events of [
      [declined, numberedEvent(1)],
      [given, declined, numberedEvent(1)],
    ])
      expect(refusalOf(await cast.send(session, events))).toMatchObject(required)
    expect(await cast.exported(experimentId)).toEqual([])
    succeeded(await cast.send(session, [declined, given, numberedEvent(1)]))
    expect(await cast.exported(experimentId)).toHaveLength(3)
  })

  test('[R38] v3 enforces it too', async () => {
    const experimentId = await cast.open(consent)
    const { token } = await cast.person()
    const join = () => cast.api.call(participantRoutes.joinV3, { token, body: { experimentId } })
    const send = (...events: object[]) =>
      cast.api.call(participantRoutes.eventsV3, { token, body: { experimentId, events } })
    expect(succeeded(await join()).data.consentedAt).toBeNull()
    expect(refusalOf(await send(numberedEvent(1)))).toMatchObject(required)
    succeeded(await send(given))
    succeeded(await send(numberedEvent(1)))
    expect(succeeded(await join()).data.consentedAt).toEqual(expect.any(String))
  })

  test('[R38] it is asked for once: joining again keeps it, with its original time', async () => {
    const { experimentId, session, join } = await asked()
    succeeded(await cast.send(session, [given]))
    const [line] = await cast.exported(experimentId)
    for (const _ of upTo(2)) {
      const again = await join(experimentId)
      expect(again.consentedAt).toBe(line?.receivedAt)
      succeeded(await cast.send(again, [numberedEvent(1)]))
      succeeded(await cast.send(again, [given]))
    }
  })

  test('[R38] nobody can wait for a group without it', async () => {
    const { experimentId, session } = await asked({ matching: { groupSize: 2 } })
    expect(await handshakes('/waiting', session)).toEqual(everywhere('CONSENT_REQUIRED'))
    const others = [await cast.participant(experimentId), await cast.participant(experimentId)]
    const sockets = []
    for (const [index, { session }] of others.entries()) {
      succeeded(await cast.send(session, [given]))
      // At once, and on a different instance from the one that stored it.
      const { http } = world().servers.at(index - 1) ?? world().any()
      const hands = await shakeHands(http, '/waiting', { session })
      onTestFinished(() => void hands.socket.close())
      expect(hands.code).toBe('connected')
      sockets.push(hands)
    }
    for (const { received } of sockets)
      await waitUntil(() => received.includes('room_assigned') || `only ${received.join(', ')}`, {
        timeoutMs: 240_000,
      })
  })

  test('[R38] the clock of a solo room does not start before it is given', async () => {
    const { session } = await asked()
    expect(await handshakes('/experiment', session)).toEqual(everywhere('CONSENT_REQUIRED'))
    const { token } = await cast.researcher()
    const seats = async () => {
      const options = { token, params: { roomId: session.roomId } }
      return succeeded(await cast.api.call(roomRoutes.participants, options)).participants
    }
    // A room that has not started has no seats.
    expect(await seats()).toEqual([])
    succeeded(await cast.send(session, [given]))
    const [server] = world().servers
    const room = await openRoomSocket(server?.http ?? '', session)
    onTestFinished(() => room.close())
    expect(await seats()).toHaveLength(1)
  })

  test('[R38] a researcher cannot put a participant who has not given it into a room', async () => {
    const { experimentId, session } = await asked({ matching: { groupSize: 2 } })
    const other = (await cast.participant(experimentId)).session
    succeeded(await cast.send(other, [given]))
    const { token } = await cast.researcher()
    const body = { participantIds: [other.participantId, session.participantId] }
    const seat = () => cast.api.call(roomRoutes.create, { token, params: { experimentId }, body })
    expect(refusalOf(await seat())).toMatchObject({
      status: 409,
      code: 'ACTION_REFUSED',
      details: { participantIds: [session.participantId] },
    })
    succeeded(await cast.send(session, [given]))
    succeeded(await seat())
  })

  test('[S10] a participant who declines can only complete with NO_CONSENT, or change their mind before that', async () => {
    const codes = { completion: { codes: { NO_CONSENT: 'DECLINED-1' } } }
    const { experimentId, session, join } = await asked(codes)
    succeeded(await cast.send(session, [declined]))
    expect(refusalOf(await cast.send(session, [numberedEvent(1)]))).toMatchObject(required)
    expect(refusalOf(await cast.complete(session))).toMatchObject(required)
    expect((await join(experimentId)).consentedAt).toBeNull()
    const again = await join(experimentId)
    const done = succeeded(await cast.complete(again, { completionCode: 'NO_CONSENT' }))
    expect(done.data.completionCode).toBe('DECLINED-1')
    expect(refusalOf(await cast.send(again, [given]))).toMatchObject({ code: 'SESSION_COMPLETED' })
    expect(await typesIn(experimentId)).toEqual(['consent_declined'])

    const other = await asked(codes)
    for (const event of [declined, given, numberedEvent(1)])
      succeeded(await cast.send(other.session, [event]))
    succeeded(await cast.complete(other.session))
  })

  test('[S11] whoever withdraws it loses their connections, and takes part no longer', async () => {
    const { experimentId, session } = await asked({ matching: { groupSize: 2 }, capacity: 2 })
    const solo = await asked({ capacity: 2 })
    succeeded(await cast.send(session, [given]))
    succeeded(await cast.send(solo.session, [given]))
    const [server] = world().servers
    const http = server?.http ?? ''
    const sockets = [
      await shakeHands(http, '/waiting', { session }),
      await shakeHands(http, '/experiment', {
        session: solo.session,
        query: { roomId: solo.session.roomId },
      }),
    ]
    expect(sockets.map(({ code }) => code)).toEqual(['connected', 'connected'])
    for (const one of [{ experimentId, session }, solo]) {
      expect(await cast.monitor(one.experimentId)).toMatchObject({ availableSlots: 1 })
      succeeded(await cast.send(one.session, [declined]))
      // S41: with the event, whether they wait or play.
      expect(await cast.monitor(one.experimentId)).toMatchObject({ availableSlots: 2 })
    }
    for (const { socket } of sockets) await waitUntil(() => !socket.connected || 'still connected')
    expect(await handshakes('/waiting', session)).toEqual(everywhere('CONSENT_REQUIRED'))
    expect(refusalOf(await cast.send(session, [numberedEvent(1)]))).toMatchObject(required)
    // They have left the queue: the next participant waits alone.
    const next = (await cast.participant(experimentId)).session
    succeeded(await cast.send(next, [given]))
    const { socket, received } = await shakeHands(http, '/waiting', { session: next })
    onTestFinished(() => void socket.close())
    await waitUntil(() => received.includes('waiting_status') || 'not told anything')
    expect(received).not.toContain('room_assigned')
    expect(await cast.monitor(experimentId)).toMatchObject({ availableSlots: 1 })
    // S41: whoever thinks better of it needs a place.
    await cast.participant(experimentId)
    expect(refusalOf(await cast.send(session, [given]))).toMatchObject({
      status: 409,
      code: 'EXPERIMENT_CLOSED',
      details: { reason: 'full' },
    })
  })

  test('[RM96,RM97] in a group, whoever withdraws it leaves with NO_CONSENT, and whoever never came has abandoned it', async () => {
    const experimentId = await cast.open({
      ...consent,
      states: [{ id: 'ask', components: [{ id: 'rate', type: 'slider' }], end: { on: 'all_responded' } }],
      matching: { groupSize: 3 },
      dropout: { policy: 'continue' },
      completion: { codes: { SUCCESS: 'PAID-1', NO_CONSENT: 'NONE-2', ABANDONED: 'GONE-3' } },
    })
    const people: Session[] = []
    for (const _ of upTo(3)) {
      const { session } = await cast.participant(experimentId)
      succeeded(await cast.send(session, [given]))
      people.push(session)
    }
    const { token } = await cast.researcher()
    const body = { participantIds: people.map(({ participantId }) => participantId) }
    const [server] = world().servers
    const create = createApi(server?.http ?? '').call(roomRoutes.create, {
      token,
      params: { experimentId },
      body,
    })
    const { roomId } = succeeded(await create)
    const [leaver, stayer, absent] = people
    if (!leaver || !stayer || !absent) throw new Error('three have joined')
    const leaving = await openRoomSocket(server?.http ?? '', { ...leaver, roomId })
    const staying = await openRoomSocket(server?.http ?? '', { ...stayer, roomId })
    onTestFinished(() => [leaving, staying].forEach((socket) => void socket.close()))
    // On either instance, whichever holds the room.
    succeeded(await cast.send(leaver, [declined]))
    await staying.event('seat', ({ status }) => status === 'left')
    expect((await staying.act('submit_response', { componentId: 'rate', value: 5 })).ok).toBe(true)
    await staying.event('finished')
    for (const [session, completionCode] of [
      [leaver, 'NONE-2'],
      [stayer, 'PAID-1'],
      [absent, 'GONE-3'],
    ] as const) {
      const body = { completionCode: session === leaver ? 'NO_CONSENT' : 'SUCCESS' }
      expect(succeeded(await cast.complete(session, body)).data.completionCode).toBe(completionCode)
    }
    const rows = (await cast.exported(experimentId)).filter(
      ({ participantId }) => participantId === leaver.participantId,
    )
    expect(rows.at(-1)).toMatchObject({ type: 'consent_declined' })
  })

  test('[R38] a retry of the answer is one answer', async () => {
    const { experimentId, session } = await asked()
    const headers = { 'idempotency-key': 'consent' }
    const named = answered('consent_given', { eventId: 'consent-1' })
    const answers = await Promise.all(upTo(10).map(() => cast.send(session, [named], { headers })))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    succeeded(await cast.send(session, [named]))
    expect(await cast.exported(experimentId)).toHaveLength(1)
  })

  test('[R38] an experiment whose definition has no consent does not ask for it', async () => {
    const { session } = await cast.participant(await cast.open())
    expect(session.consentedAt).toBeNull()
    succeeded(await cast.send(session, [numberedEvent(1)]))
    succeeded(await cast.complete(session))
  })
})
