import type { Agent } from '@atrium/contract'
import { expect, test } from 'vitest'
import type { ModelOutcome } from '../../src/modules/agents/providers/provider.ts'
import { describeOnOneEngine } from '../stores/engines.ts'
import { type StubModel, seatAgent } from './asked-agent.ts'

const waiting: ModelOutcome = {
  kind: 'replied',
  arguments: { action: { name: 'wait' } },
  usage: { promptTokens: 100, completionTokens: 10 },
  reply: {},
}
const refusing = (status: number): ModelOutcome => ({
  kind: 'failed',
  reason: 'status',
  message: `The model server returned ${status}.`,
  status,
})

describeOnOneEngine('The turns of an agent in a room', (engine) => {
  const seat = (answer: StubModel['answer'], more?: Partial<Agent>) => seatAgent(engine, answer, more)

  test('[R43,R45,AT4] a call that is cut off is recorded, and counts in the next turn', async () => {
    const agent = await seat('nothing', { budget: { turns: 2 } })
    await agent.untilAsked(1)
    agent.model.answer = waiting
    await agent.moveOn()
    expect(await agent.refused(1)).toMatchObject([
      {
        error: 'The room had moved on before there was a reply.',
        credentialId: agent.credentialId,
        usage: null,
        reply: null,
      },
    ])
    expect(await agent.applied(1)).toMatchObject([{ used: { calls: 2 }, calls: [{ outcome: 'applied' }] }])
    await agent.moveOn()
    const [, second] = await agent.applied(2)
    expect(second).toMatchObject({ used: { calls: 0 }, calls: [{ outcome: 'budget' }] })
    expect(await agent.used()).toMatchObject({ calls: 2 })
    expect(agent.model.asked).toBe(2)
  })

  test('[R43] calls that are cut off use up the budget even if no turn is ever applied', async () => {
    const agent = await seat('nothing', { budget: { turns: 3 } })
    for (let call = 1; call <= 3; call++) {
      await agent.untilAsked(call)
      await agent.moveOn()
    }
    expect(await agent.applied(1)).toMatchObject([{ used: { calls: 3 }, calls: [{ outcome: 'budget' }] }])
    await agent.moveOn()
    await agent.applied(2)
    expect(agent.model.asked).toBe(3)
    expect(await agent.used()).toMatchObject({ calls: 3 })
    expect(await agent.refused(3)).toHaveLength(3)
  })

  test('[R45,AT4] a reply that was still being typed is recorded with its usage', async () => {
    const message = 'Hello there. '.repeat(10)
    const speaking = { ...waiting, arguments: { action: { name: 'wait' }, message } }
    const agent = await seat(speaking, { pacing: { charactersPerSecond: 1 } })
    await agent.untilAsked(1)
    agent.model.answer = 'nothing'
    await agent.moveOn()
    expect(await agent.refused(1)).toMatchObject([{ usage: { promptTokens: 100, completionTokens: 10 } }])
    expect(await agent.applied(0)).toEqual([])
  })

  test('[R43,AT4] a reply that the room refuses because another instance holds it counts as well', async () => {
    let reply: (outcome: ModelOutcome) => void = () => undefined
    const agent = await seat(new Promise<ModelOutcome>((resolve) => (reply = resolve)))
    await agent.untilAsked(1)
    const other = agent.instance('pod-1')
    await other.enter(agent.roomId, agent.participantId)
    reply(waiting)
    expect(await agent.refused(1)).toMatchObject([{ usage: { promptTokens: 100 }, attempt: 1 }])
    expect(await agent.applied(0)).toEqual([])
    await other.stop()
    await agent.enter()
    expect(await agent.applied(1)).toMatchObject([{ used: { calls: 2, tokens: 220 } }])
    expect(await agent.used()).toEqual({ calls: 2, tokens: 220, money: 0 })
  })

  test('[R44,AT7] a trial that is cut off leaves the next agent to try', async () => {
    const agent = await seat(refusing(503))
    await agent.applied(1)
    for (let turn = 2; turn <= 4; turn++) {
      await agent.moveOn()
      await agent.applied(turn)
    }
    // The server has failed five times in a row, and is left alone in the fourth turn.
    expect(agent.model.asked).toBe(5)
    agent.time.now += 15_000
    agent.model.answer = 'nothing'
    await agent.moveOn()
    await agent.untilAsked(6)
    agent.model.answer = waiting
    await agent.moveOn()
    const turns = await agent.applied(5)
    expect(turns.map(({ calls }) => calls.map(({ outcome }) => outcome))).toEqual([
      ['retried', 'fallback'],
      ['retried', 'fallback'],
      ['retried', 'fallback'],
      ['fallback'],
      ['applied'],
    ])
  })

  test.each([
    [400, 10],
    [413, 10],
    [401, 5],
    [429, 5],
    [500, 5],
  ])('[R44,AT7] status %i: of ten attempts in five turns, %i reach the server', async (status, reached) => {
    const agent = await seat(refusing(status))
    await agent.applied(1)
    for (let turn = 2; turn <= 5; turn++) {
      await agent.moveOn()
      await agent.applied(turn)
    }
    expect(agent.model.asked).toBe(reached)
    expect(await agent.used()).toMatchObject({ calls: reached, money: 0 })
  })

  test.each([null, { promptTokens: 0, completionTokens: 0 }])(
    '[R43,AT6] usage %j: budgets of tokens and money count an estimate',
    async (usage) => {
      const price = { promptPerMillion: 1_000_000, replyPerMillion: 0 }
      const persona = { instructions: 'x'.repeat(5_000), budget: { tokens: 1_000 }, price }
      const agent = await seat({ ...waiting, usage }, persona)
      expect(await agent.applied(1)).toMatchObject([{ calls: [{ usage }] }])
      const used = await agent.used()
      expect(used?.tokens).toBeGreaterThan(1_250)
      // One for each token of the prompt, and nothing for those of the reply, which is `{}`.
      expect(used?.money).toBe(used?.tokens)
      await agent.moveOn()
      expect((await agent.applied(2)).at(-1)).toMatchObject({ calls: [{ outcome: 'budget' }] })
      expect(agent.model.asked).toBe(1)
    },
  )

  test('[R45,AT8] the record of a script is small, and its hash stands for all that it perceived', async () => {
    const agent = await seat('nothing', { provider: 'Scripted' })
    await agent.applied(1)
    await agent.say('x'.repeat(1_000))
    const turns = await agent.applied(2)
    const calls = turns.flatMap((turn) => turn.calls)
    expect(calls.map(({ request }) => request)).toEqual(
      turns.map(({ turnId }) => ({ provider: 'Scripted', turnId, state: 'talk1' })),
    )
    for (const { promptHash } of calls) expect(promptHash).toMatch(/^[0-9a-f]{64}$/)
    expect(calls[1]?.promptHash).not.toBe(calls[0]?.promptHash)
    expect(await agent.used()).toEqual({ calls: 2, tokens: 0, money: 0 })
    expect(agent.model.asked).toBe(0)
  })
})
