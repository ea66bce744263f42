import { experimentRoutes, matchingRoutes, participantRoutes, roomRoutes } from '@atrium/contract'
import { describeInOneMode, smallestDefinition } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { bodiesWith, game, oddTableIn, oddValues } from './odd-values.ts'

const solo = { ...game, matching: { groupSize: 1 } }

/** A limit, not an expectation: thousands of requests on a machine that may be busy. */
const limitMs = 480_000

describeInOneMode(
  '[R40] A value that passes the checks never fails in the store',
  (world) => {
    const table = oddTableIn(world)
    const { post, bystander, asResearcher } = table

    it(
      'in events',
      async () => {
        const expectBystanderUnaffected = await bystander()
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
            ...bodiesWith(
              { events: [{ ...event, type: 'state_transition' }] },
              ['events/0/data/toState'],
              odd,
            ),
          ]
          await Promise.all(bodies.map((body) => post(participantRoutes.eventsV4, body, send)))
        }
        await expectBystanderUnaffected()
      },
      limitMs,
    )

    it(
      'in joining and completing',
      async () => {
        const expectBystanderUnaffected = await bystander()
        const experimentId = await table.open({
          ...solo,
          roles: ['a', 'b'],
          completion: { redirectUrl: 'https://example.org/?x={{metadata.x}}' },
        })
        for (const odd of oddValues) {
          const { token, sessionId } = await table.join(experimentId)
          const headers = { authorization: `Bearer ${token}` }
          const body = { experimentId, metadata: { x: 1 } }
          // Five joins a minute are allowed: these four, and the first one.
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
        await expectBystanderUnaffected()
      },
      limitMs,
    )

    it(
      'in definitions and requests about experiments',
      async () => {
        const expectBystanderUnaffected = await bystander()
        const experimentId = await table.open(game)
        const definition = {
          ...smallestDefinition({
            capacity: 10,
            dropout: { policy: 'wait', graceMs: 1 },
            variables: { v: 1 },
          }),
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
        await expectBystanderUnaffected()
      },
      limitMs,
    )

    it(
      'in paths and queries',
      async () => {
        const expectBystanderUnaffected = await bystander()
        const headers = await asResearcher()
        const experimentId = await table.open(game)
        const { roomId } = await table.seat(experimentId, 2)
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
            ...['limit', 'after', 'status', 'outcome', 'condition'].map(
              (name) => `/api/experiments/${experimentId}/people?${name}=${text}`,
            ),
            `/api/experiments/${experimentId}/people/${text}/timeline`,
            ...['format', 'table', 'from', 'to', 'revision', 'status', 'synthetic', 'identity', 'cursor'].map(
              (name) => `/api/experiments/${experimentId}/export?${name}=${text}`,
            ),
            ...['', '/monitor', '/live', '/rooms', '/export', '/plots', '/people'].map(
              (end) => `/api/experiments/${text}${end}`,
            ),
            ...['state', 'participants', 'moments', 'replay'].map((end) => `/api/room/${text}/${end}`),
            ...['moments?after', 'moments?limit', 'replay?at', 'replay?as'].map(
              (end) => `/api/room/${roomId}/${end}=${text}`,
            ),
          ]) {
            const answer = await fetch(table.server().http + path, { headers })
            expect(answer.status, path).toBeLessThan(500)
            await answer.arrayBuffer()
          }
        await expectBystanderUnaffected()
      },
      limitMs,
    )
  },
  // PostgreSQL refuses more than SQLite does: NUL, lone surrogates, numbers out of range.
  { mode: 'cluster', servers: 1 },
)
