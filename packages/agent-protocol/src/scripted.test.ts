import type { Agent } from '@atrium/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentMoves } from './moves.ts'
import { perceptionOf } from './perceive.ts'
import { readReply } from './read-reply.ts'
import { scriptedReply } from './scripted.ts'
import { movesTo, randomMoves } from './test/random-moves.ts'
import { message, snapshotWith } from './test/snapshot.ts'

const seed = Number(process.env.TEST_SEED ?? 20_260_101)
const chats = [{ componentId: 'talk', maxLength: 30 }]
const offer = { id: 'offer', type: 'slider' }

interface Given {
  script?: NonNullable<Agent['script']>
  pacing?: NonNullable<Agent['pacing']>
  moves: AgentMoves
  saidSoFar?: number
  heard?: Parameters<typeof message>[]
  turnId?: string
}

function play({ script, pacing, moves, saidSoFar = 0, heard = [], turnId = 't1' }: Given) {
  const agent: Agent = {
    ...{ id: 'ada', name: 'Ada', provider: 'Scripted', instructions: '' },
    ...(script && { script }),
    ...(pacing && { pacing }),
  }
  const snapshot = snapshotWith({ messages: heard.map((one) => message(...one)) })
  const perception = perceptionOf({ definition: { name: 'x' }, agent, turnId, moves, memory: [], snapshot })
  return scriptedReply({ agent, perception, moves, seed: 'seed', saidSoFar })
}

describe('a scripted agent', () => {
  const script = [
    { state: 'elsewhere', say: ['No.'] },
    { say: ['One.', 'Two.'], answers: { offer: 40 } },
  ]
  const waiting = movesTo([offer], { canWait: true, chats })

  test('says its lines one per turn, and answers with the last of them', () => {
    expect(play({ script, moves: waiting })).toEqual({
      action: { name: 'wait' },
      message: { chat: 'talk', text: 'One.' },
    })
    expect(play({ script, moves: waiting, saidSoFar: 1 })).toEqual({
      action: { name: 'answer', answers: { offer: 40 } },
      message: { chat: 'talk', text: 'Two.' },
    })
  })

  test('continues when there is nothing left to say or to answer', () => {
    const done = movesTo([], { canContinue: true, canWait: true, chats })
    expect(play({ script, moves: done, saidSoFar: 2, heard: [['And?']] })).toEqual({
      action: { name: 'continue' },
    })
  })

  test('repeats its last line as a reply, but not to itself', () => {
    const listening = movesTo([], { canWait: true, chats })
    const turn = { script, moves: listening, saidSoFar: 2 }
    expect(play({ ...turn, heard: [['And?']] }).message?.text).toBe('Two.')
    expect(play({ ...turn, heard: [['Two.', 'Blue']] }).message).toBeUndefined()
    expect(play(turn).message).toBeUndefined()
  })

  test('does not wait where it may not, and is silent where there is no chat', () => {
    expect(play({ script, moves: movesTo([offer]) })).toEqual({
      action: { name: 'answer', answers: { offer: 40 } },
    })
  })

  test('fills in variables and the last message once, within the length of the chat', () => {
    const lines = (say: string) => ({
      script: [{ say: [say] }],
      moves: movesTo([], { canWait: true, chats }),
    })
    const heard: Given['heard'] = [['{{price}} please']]
    expect(play({ ...lines('{{price}} + {{ own }}{{nothing}}{{constructor}}'), heard }).message?.text).toBe(
      '10 + 3',
    )
    expect(play({ ...lines('You said: {{last}}'), heard }).message?.text).toBe('You said: {{price}} please')
    expect(play(lines('x'.repeat(99))).message?.text).toHaveLength(30)
    expect(play(lines('{{nothing}}')).message).toBeUndefined()
  })

  test('says something where it must before it can continue', () => {
    const moves = movesTo([], { canWait: true, chats })
    expect(play({ moves, pacing: { minMessages: 1 } }).message?.text).toMatch(/./)
    expect(play({ moves, pacing: { minMessages: 1 }, saidSoFar: 1 }).message).toBeUndefined()
  })

  test('draws an answer where the given one does not fit: the same in the same turn', () => {
    const drawn = (turnId: string) =>
      play({ script: [{ answers: { offer: 'much' } }], moves: waiting, turnId })
    expect(drawn('t1')).toEqual(drawn('t1'))
    const turns = Array.from({ length: 9 }, (_, nth) => JSON.stringify(drawn(`t${nth}`)))
    expect(new Set(turns).size).toBeGreaterThan(1)
  })

  test('[R34] only makes legal moves, whatever it is asked', () => {
    fc.assert(
      fc.property(randomMoves, fc.nat(3), ({ moves }, saidSoFar) => {
        const reply = play({ script: [{ say: ['One.', 'Two.'] }], moves, saidSoFar, heard: [['Hi']] })
        const { message: said, ...rest } = reply
        const args = { ...rest, ...(said && { message: said.text }), ...(said && { chat: said.chat }) }
        expect(readReply(moves, args)).toEqual({ ok: true, reply })
      }),
      { seed, numRuns: 150 },
    )
  })
})
