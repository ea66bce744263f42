import {
  type ExperimentDefinition,
  experimentRoutes,
  limits,
  matchingRoutes,
  participantRoutes,
  type RouteSpec,
  roomRoutes,
} from '@atrium/contract'
import {
  type Answer,
  codeOf,
  createResearcher,
  describeInBothModes,
  smallestDefinition,
  undocumented,
} from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { openRawRoom } from '../rooms/raw-socket.ts'
import { acknowledged, tableIn } from '../rooms/table.ts'

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

/** As JSON texts: what no client library would send, and what is just within or just beyond a bound. */
const oddValues = [
  ...[
    '1e19',
    '1e308',
    '-1e308',
    '1e999',
    '-1',
    '-0',
    '0.5',
    '2147483648',
    '8640000000000000',
    '8640000000000001',
  ],
  ...['9007199254740992', '9223372036854775807', '9223372036854775808', '1e-320'],
  ...['"NaN"', '"Infinity"', 'null', 'true', '""', '[]', '{}'],
  ...[
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00a"',
    '"\\u0007"',
    '"\\u202e"',
    '"__proto__"',
    '"constructor"',
  ],
  ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{}}}', '{"\\u0000":1}', '["\\u0000"]'],
  ...[nested(limits.jsonDepth - 4), nested(limits.jsonDepth), nested(limits.jsonDepth + 1), nested(20_000)],
  ...[
    `"${'x'.repeat(100_000)}"`,
    `"${'€'.repeat(4_000)}"`,
    `"${'😀'.repeat(200)}"`,
    `"'; drop table events; --"`,
  ],
]

const game: ExperimentDefinition = {
  name: 'Odd values',
  states: [
    {
      id: 'talk',
      components: [
        { id: 'chat', type: 'chat' },
        { id: 'any', type: 'custom_html' },
      ],
    },
  ],
  matching: { groupSize: 2 },
}

/** Every place of a body where a value stands, replaced one at a time; a name that is missing is added. */
function bodiesWith(body: object, places: string[], odd: string): string[] {
  return places.map((place) => {
    const copy = structuredClone(body)
    const names = place.split('/')
    const last = names.pop() ?? ''
    const parent = names.reduce<Record<string, unknown>>(
      (at, name) => at[name] as Record<string, unknown>,
      copy as never,
    )
    parent[last] = '@'
    return JSON.stringify(copy).replace('"@"', () => odd)
  })
}

describeInBothModes('[R40] A value that passes the checks never fails in the store', (world) => {
  const table = tableIn(world)

  async function post(
    route: RouteSpec,
    body: string,
    { headers = {}, params = {} }: { headers?: Record<string, string>; params?: Record<string, string> },
  ): Promise<void> {
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? name)
    const response = await fetch(table.server().http + path, {
      method: route.method,
      headers: { 'user-agent': 'atrium-test/1.0', 'content-type': 'application/json', ...headers },
      body,
    })
    const text = await response.text()
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: JSON.parse(text),
    }
    const shown = `${route.method} ${path} ${body.slice(0, 300)} → ${text.slice(0, 300)}`
    expect(answer.status, shown).toBeLessThan(500)
    expect(answer.status < 400 || codeOf(answer) !== undefined, shown).toBe(true)
    expect(codeOf(answer), shown).not.toBe('RATE_LIMITED')
    expect(undocumented(route, answer), shown).toBeUndefined()
  }

  /** Somebody in a room of their own, who must notice nothing. */
  async function bystander() {
    const { sessions } = await table.seat(await table.open(game), 2)
    const sockets = await Promise.all(sessions.map((session) => table.connect(session)))
    onTestFinished(() => {
      for (const socket of sockets) socket.close()
    })
    return async () => {
      for (const socket of sockets) {
        await acknowledged(socket.act('send_message', { text: 'still here' }))
        expect(socket.isConnected()).toBe(true)
      }
    }
  }

  /** Another one each time: a researcher may ask only so often. */
  const asResearcher = async () => {
    const { token } = await createResearcher(table.api, ['researcher', 'admin'])
    return { authorization: `Bearer ${token}` }
  }
  const solo = { ...game, matching: { groupSize: 1 } }

  it('in events', async () => {
    const expectPeace = await bystander()
    const experimentId = await table.open(solo)
    const event = { type: 'component_response', componentId: 'any', timestamp: 1, data: { value: 1 } }
    const places = [
      'timestamp',
      'eventId',
      'stateId',
      'componentId',
      'type',
      'data',
      'experimentId',
      'roomId',
      'more',
    ]
    for (const odd of oddValues) {
      const { sessionId } = await table.join(experimentId)
      const send = { headers: { 'x-session-id': sessionId } }
      const bodies = [
        ...bodiesWith(
          { events: [event] },
          places.map((place) => `events/0/${place}`),
          odd,
        ),
        ...bodiesWith(
          { events: [event] },
          ['events/0/data/value', 'events/0/data/responseTime', 'events', 'roomId'],
          odd,
        ),
        ...bodiesWith({ events: [{ ...event, type: 'state_transition' }] }, ['events/0/data/toState'], odd),
      ]
      await Promise.all(bodies.map((body) => post(participantRoutes.eventsV4, body, send)))
    }
    await expectPeace()
  }, 120_000)

  it('in joining and completing', async () => {
    const expectPeace = await bystander()
    const experimentId = await table.open({
      ...solo,
      roles: ['a', 'b'],
      completion: { redirectUrl: 'https://example.org/?x={{metadata.x}}' },
    })
    for (const odd of oddValues) {
      const { token, sessionId } = await table.join(experimentId)
      const headers = { authorization: `Bearer ${token}` }
      const body = { experimentId, metadata: { x: 1 } }
      // Four of the five a minute that are left after the first.
      for (const wrong of bodiesWith(body, ['experimentId', 'role', 'metadata', 'metadata/x'], odd))
        await post(participantRoutes.joinV4, wrong, { headers })
      const completion = { completionCode: 'SUCCESS', summary: { totalEvents: 1, duration: 1 } }
      const bodies = bodiesWith(
        completion,
        ['completionCode', 'finalState', 'summary/totalEvents', 'summary/duration', 'summary'],
        odd,
      )
      for (const wrong of bodies.slice(0, 3))
        await post(participantRoutes.completeV4, wrong, { headers: { 'x-session-id': sessionId } })
      const { sessionId: another } = await table.join(experimentId)
      for (const wrong of bodies.slice(3))
        await post(participantRoutes.completeV4, wrong, { headers: { 'x-session-id': another } })
    }
    await expectPeace()
  }, 120_000)

  it('in definitions and what is asked about experiments', async () => {
    const expectPeace = await bystander()
    const experimentId = await table.open(game)
    const definition = {
      ...smallestDefinition({ capacity: 10, dropout: { policy: 'wait', graceMs: 1 }, variables: { v: 1 } }),
      matching: { groupSize: 2, deadlineMs: 1 },
      blocks: [{ id: 'b', states: ['s1'], rounds: 2 }],
      metadata: { note: 1 },
      completion: { codes: { SUCCESS: 'C' }, redirectUrl: 'https://example.org' },
    }
    const places = [
      ...['name', 'description', 'capacity', 'dropout/graceMs', 'variables/v', 'matching/groupSize'],
      ...[
        'matching/deadlineMs',
        'blocks/0/rounds',
        'metadata/note',
        'completion/codes/SUCCESS',
        'states/0/id',
      ],
      ...[
        'completion/redirectUrl',
        'states/0/components/0/id',
        'states/0/components/0/min',
        'roles',
        'conditions',
      ],
    ]
    const arrivals = { arrivals: { people: 3, perMinute: 6 }, seed: 's' }
    const params = { experimentId }
    for (const odd of oddValues) {
      const headers = await asResearcher()
      for (const body of bodiesWith(definition, places, odd))
        await post(experimentRoutes.create, body, { headers })
      for (const body of bodiesWith({ status: 'paused' }, ['status'], odd))
        await post(experimentRoutes.changeStatus, body, { headers, params })
      for (const body of bodiesWith(
        arrivals,
        ['arrivals/people', 'arrivals/perMinute', 'seed', 'matching'],
        odd,
      ))
        await post(matchingRoutes.dryRun, body, { headers, params })
      for (const body of bodiesWith({ participantIds: [] }, ['participantIds'], odd))
        await post(roomRoutes.create, body, { headers, params })
    }
    await expectPeace()
  }, 240_000)

  it('in addresses and queries', async () => {
    const expectPeace = await bystander()
    const headers = await asResearcher()
    const experimentId = await table.open(game)
    const texts = [
      ...[
        '',
        '0',
        '-1',
        '1e19',
        '1e999',
        'NaN',
        '99999999999999999999',
        '9223372036854775808',
        '%00',
        'a%00b',
      ],
      ...[
        '%ed%a0%80',
        '%ff',
        '__proto__',
        `${'9'.repeat(15)}.room_a`,
        `${'9'.repeat(16)}.room_a`,
        '1.room_',
        '.',
        'x'.repeat(8_000),
      ],
    ]
    for (const text of texts)
      for (const path of [
        ...['limit', 'before', 'status'].map(
          (name) => `/api/experiments/${experimentId}/rooms?${name}=${text}`,
        ),
        `/api/experiments/${experimentId}/activity?minutes=${text}`,
        `/api/experiments/${experimentId}/export?format=${text}`,
        ...['', '/monitor', '/rooms', '/export'].map((end) => `/api/experiments/${text}${end}`),
        ...['state', 'participants'].map((end) => `/api/room/${text}/${end}`),
      ]) {
        const answer = await fetch(table.server().http + path, { headers })
        expect(answer.status, path).toBeLessThan(500)
        await answer.arrayBuffer()
      }
    await expectPeace()
  }, 120_000)

  it('in what a researcher does to a room', async () => {
    const expectPeace = await bystander()
    const headers = await asResearcher()
    const experimentId = await table.open(game)
    for (const odd of oddValues) {
      const { roomId, sessions } = await table.seat(experimentId, 2)
      const params = { roomId, participantId: sessions[0]?.participantId ?? '' }
      for (const body of bodiesWith({ text: 'hi' }, ['text', 'participantId'], odd))
        await post(roomRoutes.message, body, { headers, params })
      for (const body of bodiesWith({}, ['reason'], odd))
        await post(roomRoutes.pause, body, { headers, params })
      for (const body of bodiesWith({}, ['outcome'], odd))
        await post(roomRoutes.remove, body, { headers, params })
      for (const body of bodiesWith({}, ['reason'], odd))
        await post(roomRoutes.end, body, { headers, params })
    }
    await expectPeace()
  }, 120_000)

  it('in what a participant does in a room', async () => {
    const expectPeace = await bystander()
    const experimentId = await table.open(game)
    const actions: [string, object, string[]][] = [
      [
        'submit_response',
        { actionId: 'a', componentId: 'any', value: 1 },
        ['actionId', 'componentId', 'value', 'stateId', 'visit', 'responseTime', 'clientTime', 'more'],
      ],
      ['send_message', { actionId: 'a', text: 'hi' }, ['actionId', 'text', 'componentId', 'more']],
      ['ready', { actionId: 'a' }, ['stateId', 'visit', 'more']],
      ['leave', { actionId: 'a' }, ['reason', 'more']],
    ]
    for (const [name, payload, places] of actions)
      for (const place of places) {
        const { sessions } = await table.seat(experimentId, 2)
        const [session] = sessions
        if (!session) throw new Error('somebody takes part')
        const raw = await openRawRoom(table.server().http, session)
        // All at once, so that they share groups of the store.
        const sent = oddValues.map(async (odd, index) => {
          const [body = ''] = bodiesWith({ ...payload, actionId: `${index}` }, [place], odd)
          const code = await raw.refusal(name, body)
          const fine = [undefined, 'VALIDATION_FAILED', 'ACTION_REFUSED', 'ROOM_ENDED']
          expect(fine, `${name} ${body.slice(0, 200)}`).toContain(code)
        })
        await Promise.all(sent)
        raw.close()
      }
    await expectPeace()
  }, 240_000)
})
