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

describeInBothModes('a reply that is lost', (world) => {
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

  /** Sends a whole request and hangs up, after a moment or at once, without waiting for its answer. */
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
    outgoing.on('error', () => undefined) // Hanging up is what we are here for.
    outgoing.end(JSON.stringify({ events: numbers.map((number) => numberedEvent(number)) }))
    await once(outgoing, 'finish')
    await pace(afterMs)
    outgoing.destroy()
  }

  test('[R18,I2] who hangs up and repeats the batch with its key has one copy of it', async () => {
    const { sessionId, send, stored } = await joined()
    const numbersOf = (round: number) => [3 * round, 3 * round + 1, 3 * round + 2]
    // Some hang up before the commit, some after it.
    for (let round = 0; round < 15; round++) {
      await sendAndHangUp(sessionId, `round-${round}`, numbersOf(round), round % 5)
      const answer = succeeded(await send(`round-${round}`, numbersOf(round)))
      expect(answer.data.recorded).toBe(3)
    }
    expect(await stored()).toEqual(Array.from({ length: 45 }, (_, index) => [index + 1, index]))
  })

  test('[R18] the same batch fifty times at once is stored once, and all hear the same', async () => {
    const { send, stored } = await joined()
    const answers = await Promise.all(Array.from({ length: 50 }, () => send('same', [1, 2])))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(200)
    expect(await stored()).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  test('[R18] the same key with another body is refused and stores nothing', async () => {
    const { send, stored } = await joined()
    succeeded(await send('key', [1]))
    const refused = await send('key', [2])
    expect([refused.status, codeOf(refused)]).toEqual([422, 'IDEMPOTENCY_CONFLICT'])
    expect(await stored()).toEqual([[1, 1]])
  })
})
