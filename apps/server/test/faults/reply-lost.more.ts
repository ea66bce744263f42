import { once } from 'node:events'
import { request } from 'node:http'
import { participantRoutes } from '@atrium/contract'
import {
  codeOf,
  createApi,
  createPerson,
  createResearcher,
  describeInBothModes,
  numberedEvent,
  pace,
  succeeded,
} from '@atrium/testkit'
import { expect, test } from 'vitest'

describeInBothModes('a lost reply', (world) => {
  async function joined() {
    const api = createApi(() => world().any().http)
    const researcher = await createResearcher(api)
    const experimentId = await researcher.openExperiment()
    const { sessionId } = await (await createPerson(api)).join(experimentId)
    const send = (key: string, numbers: number[]) =>
      api.call(participantRoutes.eventsV4, {
        session: { sessionId },
        body: { events: numbers.map((number) => numberedEvent(number)) },
        headers: { 'idempotency-key': key },
      })
    const stored = async () =>
      (await researcher.exported(experimentId)).map(({ seq, data }) => [seq, data.value])
    return { sessionId, send, stored }
  }

  /** Sends a complete request and disconnects, at once or after a moment, without waiting for the response. */
  async function sendAndHangUp(sessionId: string, key: string, numbers: number[], afterMs: number) {
    const outgoing = request(`${world().any().http}/api/v4/participant/events`, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'atrium-test/1.0',
        'x-session-id': sessionId,
        'idempotency-key': key,
      },
    })
    outgoing.on('error', () => undefined) // Disconnecting is the purpose.
    outgoing.end(JSON.stringify({ events: numbers.map((number) => numberedEvent(number)) }))
    await once(outgoing, 'finish')
    await pace(afterMs)
    outgoing.destroy()
  }

  test('[R18,I2] a client that disconnects and retries the batch with its key has it stored once', async () => {
    const { sessionId, send, stored } = await joined()
    const numbersOf = (round: number) => [3 * round, 3 * round + 1, 3 * round + 2]
    // Some disconnect before the commit, some after it.
    for (let round = 0; round < 15; round++) {
      await sendAndHangUp(sessionId, `round-${round}`, numbersOf(round), round % 5)
      const answer = succeeded(await send(`round-${round}`, numbersOf(round)))
      expect(answer.data.recorded).toBe(3)
    }
    expect(await stored()).toEqual(Array.from({ length: 45 }, (_, index) => [index + 1, index]))
  })

  test('[R18] the same batch sent fifty times at once is stored once, and all get the same response', async () => {
    const { send, stored } = await joined()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send('same', [1, 2])))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await stored()).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  test('[R18] the same key with a different body is refused and stores nothing', async () => {
    const { send, stored } = await joined()
    succeeded(await send('key', [1]))
    const refused = await send('key', [2])
    expect([refused.status, codeOf(refused)]).toEqual([422, 'IDEMPOTENCY_CONFLICT'])
    expect(await stored()).toEqual([[1, 1]])
  })
})
