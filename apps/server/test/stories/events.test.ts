import { participantRoutes } from '@atrium/contract'
import { describeInOneMode, numberedEvent, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { pseudonymOf } from '../../src/kernel/ids.ts'
import { castOf, upTo } from './cast.ts'
import { issuePathsOf, refusalOf } from './refusal.ts'

const transition = (more: object = {}) => ({
  type: 'state_transition',
  stateId: 's2',
  timestamp: 1_700_000_000_000,
  data: { fromState: 's1', toState: 's2' },
  ...more,
})
const other = (more: object = {}) => ({ type: 'page.view', timestamp: 1_700_000_000_000, data: {}, ...more })
const without = (event: object, field: string) =>
  Object.fromEntries(Object.entries(event).filter(([name]) => name !== field))

const clockErrorMs = 250

describeInOneMode('POST /api/v4/participant/events', (world) => {
  const cast = castOf(world)
  /** A participant in their own experiment, so that its export contains only their events. */
  async function alone() {
    const experimentId = await cast.open()
    return { experimentId, ...(await cast.participant(experimentId)) }
  }
  let shared: ReturnType<typeof alone> | undefined
  /** One participant for all batches that must not be stored. */
  const refusedParticipant = () => {
    shared ??= alone()
    return shared
  }

  test('[R18] the response says how many events were recorded, and when', async () => {
    const { session, experimentId } = await alone()
    const before = Date.now()
    const { body } = await cast.send(session, [transition(), numberedEvent(1), other()])
    expect(body).toEqual({ status: 'success', data: { recorded: 3, serverTimestamp: expect.any(String) } })
    const at = Date.parse(body.data.serverTimestamp)
    // Instances use the clock of their database, which they know only as precisely as it responds.
    expect(at).toBeGreaterThanOrEqual(before - clockErrorMs)
    expect(at).toBeLessThanOrEqual(Date.now() + clockErrorMs)
    const stored = await cast.exported(experimentId)
    expect(stored).toHaveLength(3)
    expect(stored[0]).toEqual({
      participantId: session.participantId,
      sessionId: pseudonymOf(session.sessionId),
      seq: 1,
      ...transition(),
      receivedAt: body.data.serverTimestamp,
      serverTime: body.data.serverTimestamp,
      clientTime: '2023-11-14T22:13:20.000Z',
      clockOffsetMs: Date.parse(body.data.serverTimestamp) - 1_700_000_000_001,
      clockErrorMs: expect.any(Number),
      componentId: null,
      eventId: null,
      revision: 1,
      roomId: session.roomId,
      stage: null,
      condition: null,
      role: 'participant',
      alias: 'P1',
      agent: null,
      round: null,
      visit: null,
      origin: 'client',
      roomSeq: null,
      flags: [],
    })
  })

  test('[R19] any lower-case name is a valid type, with free-form data', async () => {
    const { session, experimentId } = await alone()
    const types = ['a', 'page.view', 'x:y-z_1', 'focus_lost', 'a'.repeat(64)]
    const data = { nested: { list: [1, 'two', null, { three: true }] }, umlaut: 'ä🦊' }
    const events = [...types.map((type) => other({ type, data })), without(other(), 'data')]
    succeeded(await cast.send(session, events))
    const stored = await cast.exported(experimentId)
    expect(stored.map(({ type }) => type)).toEqual([...types, 'page.view'])
    expect(stored.map((line) => line.data)).toEqual([...types.map(() => data), {}])
  })

  test('[R19] the value of a response may be any JSON value and is stored unchanged', async () => {
    const { session, experimentId } = await alone()
    const values = [
      0,
      -1.5,
      1e300,
      '',
      'text\n\u0000"',
      '🦊',
      null,
      true,
      false,
      [],
      {},
      [1, [2, { a: null }]],
    ]
    succeeded(
      await cast.send(
        session,
        values.map((value) => numberedEvent(1, { data: { value } })),
      ),
    )
    expect((await cast.exported(experimentId)).map(({ data }) => data.value)).toEqual(values)
  })

  test('[R19] a state_transition need not have an origin', async () => {
    const { session } = await alone()
    const events = [
      transition({ data: { fromState: null, toState: 's1' } }),
      transition({ data: { toState: 's1' } }),
    ]
    expect(succeeded(await cast.send(session, events)).data.recorded).toBe(2)
  })

  test('[R19] an unknown state or component is stored and flagged, never dropped', async () => {
    const { session, experimentId } = await alone()
    const events = [
      transition(),
      transition({ stateId: 'nowhere' }),
      transition({ data: { fromState: 's1', toState: 'nowhere' } }),
      transition({ data: { fromState: 'nowhere', toState: 's2' } }),
      numberedEvent(1),
      numberedEvent(2, { componentId: 'nothing' }),
      numberedEvent(3, { stateId: 'nowhere', componentId: 'nothing' }),
      other({ stateId: 'nowhere' }),
    ]
    expect(succeeded(await cast.send(session, events)).data.recorded).toBe(events.length)
    expect((await cast.exported(experimentId)).map(({ flags }) => flags)).toEqual([
      [],
      ['unknown_state'],
      ['unknown_state'],
      ['unknown_state'],
      [],
      ['unknown_component'],
      ['unknown_state', 'unknown_component'],
      ['unknown_state'],
    ])
  })

  test('[R19,E2] undocumented fields are kept', async () => {
    const { session, experimentId } = await alone()
    const extra = { device: { kind: 'touch' }, trial: 7, seq: 99, flags: ['mine'] }
    succeeded(await cast.send(session, [numberedEvent(1, extra), numberedEvent(2)]))
    const [withExtra, plain] = await cast.exported(experimentId)
    expect(withExtra).toMatchObject({ seq: 1, flags: [], extra })
    expect(plain).not.toHaveProperty('extra')
  })

  test.each<[string, unknown, string]>([
    ['no type', without(other(), 'type'), '/type'],
    ['a type that is a number', other({ type: 7 }), '/type'],
    ['an empty type', other({ type: '' }), '/type'],
    ['an upper-case type', other({ type: 'Click' }), '/type'],
    ['a type that begins with a digit', other({ type: '1click' }), '/type'],
    ['a type with a space', other({ type: 'a b' }), '/type'],
    ['a type with a letter beyond a to z', other({ type: 'é' }), '/type'],
    ['a type with a line break at its end', other({ type: 'click\n' }), '/type'],
    ['a type of 65 characters', other({ type: 'a'.repeat(65) }), '/type'],
    ['no timestamp', without(other(), 'timestamp'), '/timestamp'],
    ['a timestamp that is a text', other({ timestamp: '1700000000000' }), '/timestamp'],
    ['a timestamp with a fraction', other({ timestamp: 1.5 }), '/timestamp'],
    ['a timestamp before 1970', other({ timestamp: -1 }), '/timestamp'],
    ['data that is a list', other({ data: [] }), '/data'],
    ['data that is null', other({ data: null }), '/data'],
    ['an empty event id', other({ eventId: '' }), '/eventId'],
    ['a state id that is a number', other({ stateId: 1 }), '/stateId'],
    ['a transition without a state', without(transition(), 'stateId'), '/stateId'],
    ['a transition without data', without(transition(), 'data'), '/data'],
    ['a transition without a target', transition({ data: { fromState: 's1' } }), '/data/toState'],
    ['a transition to a number', transition({ data: { toState: 2 } }), '/data/toState'],
    ['a transition from a number', transition({ data: { fromState: 1, toState: 's2' } }), '/data/fromState'],
    ['a response without a component', without(numberedEvent(1), 'componentId'), '/componentId'],
    ['a response without data', without(numberedEvent(1), 'data'), '/data'],
    ['a response without a value', numberedEvent(1, { data: { responseTime: 3 } }), '/data/value'],
    [
      'a negative response time',
      numberedEvent(1, { data: { value: 1, responseTime: -1 } }),
      '/data/responseTime',
    ],
    [
      'a response time that is a text',
      numberedEvent(1, { data: { value: 1, responseTime: 'x' } }),
      '/data/responseTime',
    ],
    ['an event that is a text', 'click', ''],
    ['an event that is null', null, ''],
  ])('[R18] an event with %s causes the whole batch to be refused, with its path', async (_, wrong, path) => {
    const { session, experimentId } = await refusedParticipant()
    const batch: unknown[] = upTo(10).map((number) => numberedEvent(number))
    batch[6] = wrong
    const answer = await cast.send(session, batch)
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(answer)).toContain(`/events/6${path}`)
    expect(issuePathsOf(answer).every((place) => place.startsWith('/events/6'))).toBe(true)
    expect(await cast.exported(experimentId)).toEqual([])
  })

  test.each<[string, unknown, string]>([
    ['no properties', {}, '/events'],
    ['no events', { events: [] }, '/events'],
    ['events that are not a list', { events: {} }, '/events'],
  ])('[R9] a body with %s is refused', async (_, body, path) => {
    const { session } = await refusedParticipant()
    const answer = await cast.api.call(participantRoutes.eventsV4, { session, body })
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(answer)).toEqual([path])
  })

  test('[R11] a batch may have at most 500 events', async () => {
    const { session, experimentId } = await alone()
    const answer = await cast.send(
      session,
      upTo(501).map((number) => numberedEvent(number)),
    )
    expect(refusalOf(answer)).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' })
    expect(issuePathsOf(answer)).toEqual(['/events'])
    const most = await cast.send(
      session,
      upTo(500).map((number) => numberedEvent(number)),
    )
    expect(succeeded(most).data.recorded).toBe(500)
    expect((await cast.exported(experimentId)).map(({ data }) => data.value)).toEqual(upTo(500))
  })

  test('[R11] a body beyond 1 MiB is PAYLOAD_TOO_LARGE', async () => {
    const { session } = await alone()
    const answer = await cast.send(session, [other({ data: { text: 'x'.repeat(1_048_576) } })])
    expect(refusalOf(answer)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  })

  test('[R9] after completion, events are refused with SESSION_COMPLETED', async () => {
    const { session, experimentId } = await alone()
    succeeded(await cast.complete(session))
    for (const api of cast.eachApi()) {
      const answer = await api.call(participantRoutes.eventsV4, {
        session,
        body: { events: [numberedEvent(1)] },
      })
      expect(refusalOf(answer)).toMatchObject({ status: 409, code: 'SESSION_COMPLETED' })
    }
    expect(await cast.exported(experimentId)).toEqual([])
  })

  test('[R16] a batch that names another experiment or room is SESSION_MISMATCH and stores nothing', async () => {
    const { session, experimentId } = await alone()
    const foreign = [{ experimentId: 'exp_elsewhere' }, { roomId: 'room_elsewhere' }]
    const mismatch = { status: 403, code: 'SESSION_MISMATCH' }
    for (const claim of foreign) {
      const good = numberedEvent(1)
      const inBody = { session, body: { events: [good], ...claim } }
      expect(refusalOf(await cast.api.call(participantRoutes.eventsV4, inBody))).toMatchObject(mismatch)
      expect(refusalOf(await cast.send(session, [good], { query: { ...claim } }))).toMatchObject(mismatch)
      const inEvent = await cast.send(session, [good, numberedEvent(2, claim)])
      expect(refusalOf(inEvent)).toMatchObject(mismatch)
    }
    expect(await cast.exported(experimentId)).toEqual([])
    const own = { experimentId, roomId: session.roomId }
    const right = { session, query: own, body: { ...own, events: [numberedEvent(1, own)] } }
    expect((await cast.api.call(participantRoutes.eventsV4, right)).status).toBe(200)
    expect((await cast.exported(experimentId))[0]).not.toHaveProperty('extra')
  })
})
