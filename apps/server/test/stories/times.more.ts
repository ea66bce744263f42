import { experimentRoutes, participantRoutes } from '@atrium/contract'
import { describeInBothModes, linesOf, smallestDefinition, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { version } from '../../src/http/figures.ts'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { castOf } from './cast.ts'

const hourMs = 3_600_000

/** Of somebody whose clock is an hour slow. */
// timing: what a participant sends is the time of their own clock.
const theirNow = (): number => Date.now() - hourMs

interface Times {
  type: string
  origin: string
  serverTime: string
  clientTime: string | null
  clockOffsetMs: number | null
  clockErrorMs: number | null
}

describeInBothModes('times', (world) => {
  const cast = castOf(world)
  const table = tableIn(world)

  async function rowsOf(experimentId: string, name: 'responses' | 'messages' | 'states' | 'participants') {
    const { token } = await table.researcher()
    const options = { token, params: { experimentId }, query: { format: 'jsonl', table: name } as const }
    const answer = await cast.api.call(experimentRoutes.export, options)
    succeeded(answer)
    return linesOf(answer.text) as (Times & Record<string, unknown>)[]
  }

  /** R88: an estimate that holds what it promises, and two times that fit together by it. */
  function expectAnHourSlow({ serverTime, clientTime, clockOffsetMs, clockErrorMs }: Times): void {
    const [offset, error] = [clockOffsetMs ?? Number.NaN, clockErrorMs ?? Number.NaN]
    expect(Math.abs(offset - hourMs)).toBeLessThanOrEqual(error)
    expect(Date.parse(clientTime ?? '') + offset - error).toBeLessThanOrEqual(Date.parse(serverTime))
  }

  test('[R88,D30,D35] each row says when by the server’s clock and when by the participant’s, and how far they are apart', async () => {
    const chat = { id: 'talk', type: 'chat' }
    const rate = { id: 'rate', type: 'slider' }
    const experimentId = await table.open(
      smallestDefinition({ languages: ['de', 'en'], states: [{ id: 's1', components: [rate, chat] }] }),
    )
    const session = await table.join(experimentId)
    const sent = { type: 'component_response', stateId: 's1', componentId: 'rate' }
    const timing = { responseTime: 400, firstInteractionMs: 90, changes: 2 }
    succeeded(
      await cast.send(session, [
        { ...sent, timestamp: theirNow(), data: { value: 1, answerSource: 'model', ...timing } },
      ]),
    )
    const room = await table.connect(session)
    const { visit } = room.snapshot().state ?? {}
    const clock = { offsetMs: hourMs, errorMs: 1_500 }
    const here = { stateId: 's1', visit, clientTime: theirNow() }
    await acknowledged(room.act('send_message', { text: 'hello', clientTime: theirNow(), clock }))
    await acknowledged(
      room.act('submit_response', { componentId: 'rate', value: 2, ...here, responseTime: 90_000_000 }),
    )
    await acknowledged(room.act('ready', { stateId: 's1', visit }))
    room.close()

    const lines = (await table.exported(experimentId)) as unknown as (Times & Record<string, unknown>)[]
    for (const { timestamp, clientTime, receivedAt, serverTime } of lines) {
      expect(timestamp).toBe(clientTime === null ? null : Date.parse(clientTime))
      expect(receivedAt).toBe(serverTime)
    }
    const told = lines.filter(({ clientTime }) => clientTime !== null)
    expect(told.map(({ type, origin }) => [type, origin])).toEqual([
      ['component_response', 'client'],
      ['chat_message', 'room'],
      ['component_response', 'room'],
    ])
    for (const line of told) expectAnHourSlow(line)
    expect(told[1]).toMatchObject({ clockOffsetMs: hourMs, clockErrorMs: 1_500 })
    const decided = lines.filter(({ clientTime }) => clientTime === null)
    expect(decided.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['state_transition', 'ready', 'finished']),
    )
    for (const { clockOffsetMs } of decided) expect(clockOffsetMs).toBeNull()
    // A session is in the order in which the server took things, by one clock.
    const taken = lines.map(({ serverTime }) => serverTime)
    expect(taken).toEqual(taken.toSorted())

    const [overHttp, inRoom] = await rowsOf(experimentId, 'responses')
    expect(overHttp).toMatchObject({
      responseTimeMs: 400,
      firstInteractionMs: 90,
      changes: 2,
      // Whatever the page has said.
      answerSource: 'person',
      flags: [],
      language: 'de',
    })
    expect(inRoom).toMatchObject({
      responseTimeMs: 90_000_000,
      firstInteractionMs: null,
      flags: ['implausible_time'],
    })
    const tables = [...(await rowsOf(experimentId, 'responses')), ...(await rowsOf(experimentId, 'messages'))]
    for (const row of tables) expectAnHourSlow(row)
    const [visited] = await rowsOf(experimentId, 'states')
    expect(visited).toMatchObject({ origin: 'room', clientTime: null, enteredAt: visited?.serverTime })
    expect(Number(visited?.durationMs)).toBeGreaterThanOrEqual(0)
    const [person] = await rowsOf(experimentId, 'participants')
    expect(person).toMatchObject({ language: 'de', softwareVersion: version })
  })

  test('[R92,D31] the language is the one that was read', async () => {
    const experimentId = await table.open(smallestDefinition({ languages: ['de', 'en'] }))
    for (const languages of [['en-GB'], ['fr']]) {
      const { token } = await cast.person()
      succeeded(await cast.join(token, { experimentId, languages }))
    }
    expect((await rowsOf(experimentId, 'participants')).map(({ language }) => language)).toEqual(['en', 'de'])
    const undeclared = await table.open(smallestDefinition())
    await cast.participant(undeclared)
    expect((await rowsOf(undeclared, 'participants')).map(({ language }) => language)).toEqual(['en'])
  })

  test('[E40] claims about a clock that nobody can have are refused', async () => {
    const { session } = await cast.participant(await cast.open())
    const events = [{ type: 'note', timestamp: theirNow() }]
    for (const clock of [{ offsetMs: 1e13, errorMs: 1 }, { offsetMs: 0, errorMs: -1 }, { offsetMs: 0 }]) {
      const answer = await cast.api.call(participantRoutes.eventsV4, { session, body: { events, clock } })
      expect(answer.status).toBe(400)
    }
  })
})
