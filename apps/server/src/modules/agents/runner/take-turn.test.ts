import type { Agent } from '@atrium/contract'
import { expect, test } from 'vitest'
import { AppError } from '../../../kernel/app-error.ts'
import type { AgentCall, AgentUse, AgentView, LiveRoom } from '../../rooms/index.ts'
import type { ModelOutcome, ModelProvider } from '../providers/provider.ts'
import { createCutOffUse } from './cut-off-use.ts'
import { createModelBreakers } from './model-breakers.ts'
import { createSpending } from './spending.ts'
import { takeTurn } from './take-turn.ts'

const waiting: ModelOutcome = {
  kind: 'replied',
  arguments: { action: { name: 'wait' } },
  usage: { promptTokens: 100, completionTokens: 10 },
  reply: {},
}
const speaking: ModelOutcome = {
  ...waiting,
  arguments: { action: { name: 'wait' }, message: 'Hello there.' },
}
const refusing = (status: number): ModelOutcome => ({
  kind: 'failed',
  reason: 'status',
  message: `The model server returned ${status}.`,
  status,
})

/** One agent in a room whose turn is always pending, and a model that does what the test says. */
function createWorld(more: Partial<Agent> = {}, answer: ModelOutcome | 'nothing' = waiting) {
  const world = { now: 0, answer, asked: 0, refusal: undefined as AppError | undefined }
  const recorded: AgentCall[] = []
  const applied: { used: AgentUse; calls: AgentCall[] }[] = []
  let used: AgentUse = { calls: 0, tokens: 0, money: 0 }
  let onAsked: () => void = () => undefined
  const provider: ModelProvider = {
    ask(_request, { signal }) {
      world.asked++
      onAsked()
      if (world.answer !== 'nothing') return Promise.resolve(world.answer)
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      )
    },
  }
  const persona: Agent = { id: 'robin', name: 'Robin', credentialId: 'cred_1', instructions: '', ...more }
  const view = () =>
    ({
      turn: { turnId: 't1', cause: 'state', dueAt: world.now },
      experimentId: 'exp_1',
      definition: { name: 'Study' },
      persona,
      moves: {
        answers: [],
        canContinue: false,
        canWait: true,
        chats: [{ componentId: 'chat', maxLength: 1_000 }],
      },
      perception: { state: { id: 'talk' }, events: ['x'.repeat(5_000)] },
      deadlineAt: null,
      used,
      isPilot: false,
      saidSoFar: 0,
      seenMessages: 0,
      seed: 'seed',
    }) as unknown as AgentView
  const room = {
    agentView: () => view(),
    async dispatch(action: { used: AgentUse }, _at: unknown, calls: AgentCall[]) {
      if (world.refusal) throw world.refusal
      applied.push({ used: action.used, calls })
      used = {
        calls: used.calls + action.used.calls,
        tokens: used.tokens + action.used.tokens,
        money: used.money + action.used.money,
      }
    },
  } as unknown as LiveRoom
  const clock = { now: () => world.now }
  const deps = {
    clock,
    breakers: createModelBreakers(clock),
    cutOff: createCutOffUse(),
    openSpending: createSpending({ spent: async () => ({ calls: 0, tokens: 0, money: 0 }) }, clock),
    openModel: async () => ({ credentialId: 'cred_1', model: 'm', timeoutMs: 60_000, provider }),
    onCall: () => undefined,
    record: async (calls: AgentCall[]) => void recorded.push(...calls),
  }
  const take = (signal = new AbortController().signal) =>
    takeTurn(deps, { room, roomId: 'room_1', participantId: 'agent_1', turnId: 't1', signal })
  return {
    world,
    recorded,
    applied,
    take,
    /** The room moves on as soon as the model has been asked. */
    async takeCutOff() {
      const abort = new AbortController()
      onAsked = () => queueMicrotask(() => abort.abort(new Error('The turn is over.')))
      await take(abort.signal)
      onAsked = () => undefined
    },
  }
}

test('[R43][R45] a call that is cut off is recorded, and counts in the next turn', async () => {
  const { world, recorded, applied, take, takeCutOff } = createWorld({ budget: { turns: 2 } }, 'nothing')
  await takeCutOff()
  expect(recorded).toMatchObject([
    {
      outcome: 'refused',
      error: 'The room had moved on before there was a reply.',
      credentialId: 'cred_1',
      usage: null,
      reply: null,
    },
  ])
  world.answer = waiting
  await take()
  expect(applied[0]?.used.calls).toBe(2)
  await take()
  expect(applied[1]).toMatchObject({ used: { calls: 0 }, calls: [{ outcome: 'budget' }] })
  expect(world.asked).toBe(2)
})

test('[R43] calls that are cut off use up the budget even if no turn is ever applied', async () => {
  const { world, takeCutOff, applied } = createWorld({ budget: { turns: 3 } }, 'nothing')
  for (let turn = 0; turn < 5; turn++) await takeCutOff()
  expect(world.asked).toBe(3)
  expect(applied[0]).toMatchObject({ used: { calls: 3 }, calls: [{ outcome: 'budget' }] })
})

test('[R45] a reply that was still being typed is recorded with its usage', async () => {
  const { recorded, applied, takeCutOff } = createWorld({ pacing: { charactersPerSecond: 1 } }, speaking)
  await takeCutOff()
  expect(applied).toEqual([])
  expect(recorded).toMatchObject([{ outcome: 'refused', usage: { promptTokens: 100 } }])
})

test('[R43] a reply that the room refuses because it has moved on counts as well', async () => {
  const { world, recorded, applied, take } = createWorld()
  world.refusal = new AppError('ROOM_ELSEWHERE')
  await take()
  expect(recorded).toMatchObject([{ outcome: 'refused' }])
  world.refusal = undefined
  await take()
  expect(applied[0]?.used).toMatchObject({ calls: 2, tokens: 220 })
})

test('[R44] a trial that is cut off leaves the next agent to try', async () => {
  const { world, applied, take, takeCutOff } = createWorld({}, refusing(503))
  for (let turn = 0; turn < 3; turn++) await take()
  const askedBefore = world.asked
  await take()
  expect(world.asked).toBe(askedBefore)
  world.now += 15_000
  world.answer = 'nothing'
  await takeCutOff()
  world.answer = waiting
  await take()
  expect(applied.at(-1)?.calls).toMatchObject([{ outcome: 'applied' }])
})

test.each([
  [400, 10],
  [413, 10],
  [401, 5],
  [429, 5],
  [500, 5],
])('[R44] status %i: of ten attempts in five turns, %i reach the server', async (status, reached) => {
  const { world, take } = createWorld({}, refusing(status))
  for (let turn = 0; turn < 5; turn++) await take()
  expect(world.asked).toBe(reached)
})

test.each([null, { promptTokens: 0, completionTokens: 0 }])(
  '[R43] usage %j: budgets of tokens and money count an estimate',
  async (usage) => {
    const price = { promptPerMillion: 1_000_000, replyPerMillion: 0 }
    const { applied, take, world } = createWorld({ budget: { tokens: 1_000 }, price }, { ...waiting, usage })
    await take()
    expect(applied[0]?.calls).toMatchObject([{ usage }])
    expect(applied[0]?.used.tokens).toBeGreaterThan(1_250)
    expect(applied[0]?.used.money).toBeGreaterThan(1_250)
    await take()
    expect(world.asked).toBe(1)
  },
)

test('[R45] the record of a script is small, and its hash stands for all that it perceived', async () => {
  const { applied, take } = createWorld({ provider: 'Scripted' })
  await take()
  const [call] = applied[0]?.calls ?? []
  expect(JSON.parse(call?.request ?? '')).toEqual({ provider: 'Scripted', turnId: 't1', state: 'talk' })
  expect(call?.promptHash).toMatch(/^[0-9a-f]{64}$/)
  expect(applied[0]?.used).toEqual({ calls: 1, tokens: 0, money: 0 })
})
