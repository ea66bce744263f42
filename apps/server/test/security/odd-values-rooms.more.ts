import { roomRoutes, syncActions } from '@atrium/contract'
import { describeInOneMode } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { openRawRoom } from '../rooms/raw-socket.ts'
import { bodiesWith, game, oddTableIn, oddValues } from './odd-values.ts'

/** A limit, not an expectation: thousands of requests on a machine that may be busy. */
const limitMs = 480_000

/** A video that everyone commands. */
const video = { id: 'film', type: 'video', src: '/film.mp4', controlledBy: 'viewer' }
const screening = {
  name: 'Screening',
  states: [{ id: 'watch', components: [video] }],
  roles: ['viewer'],
  matching: { groupSize: 2 },
}

describeInOneMode(
  '[R40] A value that passes the checks never fails in the store of a room',
  (world) => {
    const table = oddTableIn(world)
    const { post, bystander, asResearcher } = table

    it(
      'in a researcher’s room actions',
      async () => {
        const expectBystanderUnaffected = await bystander()
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
        await expectBystanderUnaffected()
      },
      limitMs,
    )

    it(
      'in a participant’s room actions',
      async () => {
        const expectBystanderUnaffected = await bystander()
        const experimentId = await table.open(game)
        const screeningId = await table.open(screening)
        const about = { actionId: 'a', componentId: 'film' }
        const actions: [string, object, string[]][] = [
          [
            'submit_response',
            { actionId: 'a', componentId: 'any', value: 1 },
            ['actionId', 'componentId', 'value', 'stateId', 'visit', 'responseTime', 'clientTime', 'more'],
          ],
          ['send_message', { actionId: 'a', text: 'hi' }, ['actionId', 'text', 'componentId', 'more']],
          ['ready', { actionId: 'a' }, ['stateId', 'visit', 'more']],
          [
            'cannot_answer',
            { actionId: 'a', componentId: 'any', reason: 'not_loaded' },
            ['actionId', 'componentId', 'reason', 'stateId', 'visit', 'more'],
          ],
          ['leave', { actionId: 'a' }, ['reason', 'more']],
          [
            'playback_command',
            { ...about, command: 'seek', positionMs: 1 },
            ['actionId', 'componentId', 'command', 'positionMs', 'rate', 'more'],
          ],
          ['playback_buffer', { ...about, status: 'ready' }, ['actionId', 'componentId', 'status', 'more']],
          [
            'sync_report',
            { ...about, driftMs: 1, rttMs: 1 },
            ['actionId', 'componentId', 'driftMs', 'rttMs', 'more'],
          ],
        ]
        for (const [name, payload, places] of actions)
          for (const place of places) {
            const isSync = name in syncActions
            const { sessions } = await (isSync
              ? table.seat(screeningId, ['viewer', 'viewer'])
              : table.seat(experimentId, 2))
            const [session] = sessions
            if (!session) throw new Error('expected a session')
            const raw = await openRawRoom(table.server().http, session, isSync ? '/sync' : '/experiment')
            // All at once, so that they share group commits.
            const sent = oddValues.map(async (odd, index) => {
              const [body = ''] = bodiesWith({ ...payload, actionId: `${index}` }, [place], odd)
              const code = await raw.refusal(name, body)
              const fine = [undefined, 'VALIDATION_FAILED', 'ACTION_REFUSED', 'ROOM_ENDED', 'RATE_LIMITED']
              expect(fine, `${name} ${body.slice(0, 200)}`).toContain(code)
            })
            await Promise.all(sent)
            raw.close()
          }
        await expectBystanderUnaffected()
      },
      limitMs,
    )
  },
  // PostgreSQL refuses more than SQLite does: NUL, lone surrogates, numbers out of range.
  { mode: 'cluster', servers: 1 },
)
