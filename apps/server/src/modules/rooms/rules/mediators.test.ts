import type { Agent } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { chat, mediatorId, persona, playAgents, saying, thinkMs, withAgent } from '../test/agent-room.ts'
import { component, group, state } from '../test/played-room.ts'

const mediator = (speaks: Agent['speaks'], more: Partial<Agent> = {}): Agent =>
  persona({ id: 'guide', name: 'Guide', mediates: ['talk'], ...(speaks && { speaks }), ...more })
const mediated = (speaks: Agent['speaks'], more: Partial<Agent> = {}, extra: object = {}) =>
  playAgents(withAgent({}, [chat], { agents: [mediator(speaks, more)], ...extra }))

describe('A mediator', () => {
  it('[R43,RM129] has no seat, and nobody waits for it', () => {
    const room = mediated({ on: 'lull', afterMs: 5_000 })
    expect(room.room().seats).toHaveLength(2)
    expect(room.snapshot('p1').others).toHaveLength(1)
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.at()).toBe('after')
    expect(room.pending(mediatorId)).toBeNull()
  })

  it('[RM129] speaks to everyone who sees the chat, and is recorded under its own id', () => {
    const room = mediated({ on: 'demand' })
    room.prompt(mediatorId)
    room.take(mediatorId, [saying(' Please go on. ')])
    expect(room.heard('p2').at(-1)).toMatchObject({
      type: 'message',
      message: { from: 'Guide', text: 'Please go on.', agent: true },
    })
    expect(room.records.slice(-2)).toMatchObject([
      { participantId: mediatorId, type: 'chat_message', stateId: 'talk', componentId: 'talk' },
      { participantId: mediatorId, type: 'agent_turn', data: { cause: 'demand' } },
    ])
  })

  it('[RM129] only writes, only in its chats, only what fits, and all or nothing', () => {
    const other = component('other', 'chat')
    const room = playAgents(withAgent({}, [chat, other], { agents: [mediator({ on: 'demand' })] }))
    room.prompt(mediatorId)
    for (const moves of [
      [saying('fine'), saying('here too', 'other')],
      [saying('fine'), { type: 'ready' as const }],
      [saying('fine'), saying('   ')],
      [saying('x'.repeat(4_001))],
    ])
      expect(room.take(mediatorId, moves)).toMatch(/ACTION_REFUSED|VALIDATION_FAILED/)
    expect(room.said()).toEqual([])
    expect(room.take(mediatorId, [])).toBeTypeOf('number')
  })

  it('[RM129] lull: after a silence since the last message; it does not fill the silence after its own', () => {
    const room = mediated({ on: 'lull', afterMs: 5_000 })
    expect(room.plan(mediatorId)).toEqual(['lull', 5_000])
    room.pass(4_000)
    room.say('p1', 'hm')
    expect(room.plan(mediatorId)).toEqual(['lull', 5_000])
    room.act(mediatorId, [saying('What do you think?')])
    expect(room.pending(mediatorId)).toBeNull()
    room.say('p2', 'well')
    expect(room.plan(mediatorId)).toEqual(['lull', 5_000])
  })

  it('[RM129] lull: a reply under way is not lost to a message, whose silence it then waits for', () => {
    const room = mediated({ on: 'lull', afterMs: 5_000 })
    room.pass(5_000)
    const asked = room.pending(mediatorId)
    room.say('p1', 'hm')
    expect(room.pending(mediatorId)).toEqual(asked)
    expect(room.take(mediatorId, [saying('So?')], { seenMessages: 0 })).toBeTypeOf('number')
    expect(room.plan(mediatorId)).toEqual(['lull', 5_000])
  })

  it('[RM129] lull: a deadline of the state does not shorten the silence', () => {
    const timed = state('talk', { components: [chat], end: { on: 'timed', afterMs: 8_000 } })
    const room = playAgents(group([timed], { agents: [mediator({ on: 'lull', afterMs: 6_000 })] }))
    expect(room.plan(mediatorId)).toEqual(['lull', 6_000])
  })

  it('[RM129] every: after so many messages of participants since it last looked', () => {
    const room = mediated({ on: 'every', messages: 2 })
    room.say('p1', 'one')
    expect(room.pending(mediatorId)).toBeNull()
    room.say('p2', 'two')
    expect(room.plan(mediatorId)).toEqual(['message', thinkMs])
    room.say('p1', 'three')
    room.act(mediatorId, [saying('noted')], { seenMessages: 2 })
    expect(room.pending(mediatorId)).toBeNull()
    room.say('p1', 'four')
    expect(room.plan(mediatorId)?.[0]).toBe('message')
  })

  it('[RM129] every: five, when nothing is said', () => {
    const room = mediated(undefined)
    for (let messages = 0; messages < 4; messages += 1) room.say('p1', 'word')
    expect(room.pending(mediatorId)).toBeNull()
    room.say('p1', 'word')
    expect(room.plan(mediatorId)?.[0]).toBe('message')
  })

  it('[RM129] keyword: after a message that contains one, in any case', () => {
    const room = mediated({ on: 'keyword', words: ['Help me', 'ärger'] })
    room.say('p1', 'helpful')
    expect(room.pending(mediatorId)).toBeNull()
    room.say('p1', 'please HELP ME now')
    expect(room.plan(mediatorId)?.[0]).toBe('message')
    room.act(mediatorId, [saying('I can help me')])
    expect(room.pending(mediatorId)).toBeNull()
    room.say('p1', 'ÄRGER!')
    expect(room.plan(mediatorId)?.[0]).toBe('message')
  })

  it('[RM129] demand: only when a researcher asks, and then whatever else happens', () => {
    const room = mediated({ on: 'demand' })
    for (let messages = 0; messages < 10; messages += 1) room.say('p1', 'word')
    expect(room.pending(mediatorId)).toBeNull()
    room.prompt(mediatorId)
    const asked = room.pending(mediatorId)
    expect(room.plan(mediatorId)).toEqual(['demand', 0])
    room.say('p1', 'word')
    expect(room.pending(mediatorId)).toEqual(asked)
  })

  it('[RM129] two mediators do not talk to each other', () => {
    const agents = [
      mediator({ on: 'every', messages: 1 }),
      mediator({ on: 'every', messages: 1 }, { id: 'other', name: 'Other' }),
    ]
    const room = playAgents(withAgent({}, [chat], { agents }))
    const [one, other] = [mediatorId, 'agent_room_1_m2']
    room.say('p1', 'hello')
    room.act(one, [saying('welcome')])
    room.act(other, [saying('welcome too')])
    expect([room.pending(one), room.pending(other)]).toEqual([null, null])
  })

  it('[RM129] is silent where nobody sees its chat, and cannot be asked there', () => {
    const given = group([state('alone'), state('talk', { components: [chat] })], {
      agents: [mediator({ on: 'lull', afterMs: 1_000 })],
    })
    const room = playAgents(given)
    expect(room.pending(mediatorId)).toBeNull()
    expect(room.prompt(mediatorId)).toBe('ACTION_REFUSED')
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.plan(mediatorId)?.[0]).toBe('lull')
  })

  it('[RM129] without a valid reply it says nothing, whatever its fallback is', () => {
    const room = mediated({ on: 'every', messages: 1 }, { fallback: 'leave' })
    room.say('p1', 'hello')
    room.act(mediatorId, [], { fallback: 'leave' })
    expect([room.said(), room.pending(mediatorId)]).toEqual([['hello'], null])
    room.say('p1', 'hello?')
    expect(room.plan(mediatorId)?.[0]).toBe('message')
  })

  it('[RM129] writes at most maxReplies messages in a visit', () => {
    const room = mediated({ on: 'every', messages: 1 }, { pacing: { maxReplies: 1 } })
    room.say('p1', 'one')
    room.act(mediatorId, [saying('yes')])
    room.say('p1', 'two')
    expect([room.pending(mediatorId), room.moves(mediatorId).chats]).toEqual([null, []])
  })

  it('[RM129] mediates at everyone’s own pace', () => {
    const room = mediated({ on: 'every', messages: 1 }, {}, { pacing: 'participant' })
    room.ready('p1')
    room.say('p2', 'alone here')
    room.act(mediatorId, [saying('not quite')])
    expect(room.snapshot('p2').messages).toHaveLength(2)
    expect(room.snapshot('p1').messages).toEqual([])
  })
})
