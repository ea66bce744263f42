import { roomRoutes } from '@atrium/contract'
import { describeInBothModes } from '@atrium/testkit'
import { expect, it } from 'vitest'
import { openRawRoom } from '../rooms/raw-socket.ts'
import { bodiesWith, game, oddTableIn, oddValues } from './odd-values.ts'

/** A limit, not an expectation: thousands of requests on a machine that may be busy. */
const limitMs = 480_000

describeInBothModes('[R40] A value that passes the checks never fails in the store of a room', (world) => {
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
          if (!session) throw new Error('expected a session')
          const raw = await openRawRoom(table.server().http, session)
          // All at once, so that they share group commits.
          const sent = oddValues.map(async (odd, index) => {
            const [body = ''] = bodiesWith({ ...payload, actionId: `${index}` }, [place], odd)
            const code = await raw.refusal(name, body)
            const fine = [undefined, 'VALIDATION_FAILED', 'ACTION_REFUSED', 'ROOM_ENDED']
            expect(fine, `${name} ${body.slice(0, 200)}`).toContain(code)
          })
          await Promise.all(sent)
          raw.close()
        }
      await expectBystanderUnaffected()
    },
    limitMs,
  )
})
