import { describe, expect, it } from 'vitest'
import {
  answering,
  chat,
  continuing,
  inSeat,
  persona,
  playAgents,
  saying,
  thinkMs,
  withAgent,
} from '../test/agent-room.ts'
import { component, group, openedAt, slider, state } from '../test/played-room.ts'

const agent = inSeat(3)
const lullMs = 20_000

describe('When an agent is asked', () => {
  it('[R44,RM124] on entering a state, after a time to think that is drawn for each turn', () => {
    expect(playAgents().plan(agent)).toEqual(['state', thinkMs])
    const spread = { thinkMs: 100, thinkSpreadMs: 1_000_000 }
    const room = playAgents(withAgent({ seats: 2, pacing: spread }))
    const [one, other] = [inSeat(3), inSeat(4)].map((who) => room.plan(who)?.[1] ?? 0)
    expect(one).toBeGreaterThan(100)
    expect(one).not.toBe(other)
    expect(room.pending(inSeat(3))?.turnId).not.toBe(room.pending(inSeat(4))?.turnId)
  })

  it('[RM124] not in a state that has nothing for it', () => {
    const given = group([state('theirs', { roles: ['a'], components: [slider] }), state('after')], {
      roles: ['a', 'b'],
      agents: [persona({ seats: 1, role: 'b' })],
    })
    const room = playAgents(given, { roles: ['a', 'a'] })
    expect(room.pending(agent)).toBeNull()
  })

  it('[RM124] not before it could answer: reading times are kept, also when a researcher asks', () => {
    const room = playAgents(withAgent({}, [component('agree', 'consent', { minReadMs: 60_000 })]))
    expect(room.plan(agent)?.[1]).toBeGreaterThanOrEqual(60_000)
    room.prompt(agent)
    expect(room.plan(agent)?.[1]).toBeGreaterThanOrEqual(60_000)
    expect(room.act(agent, [answering('agree', { agreed: true }), continuing])).toBeTypeOf('number')
  })

  it.each(['room', 'participant'] as const)(
    '[RM124] early enough to count in a state with a short deadline, pacing %s',
    (pacing) => {
      const given = withAgent({ pacing: { thinkMs: 600_000 } }, [slider], { pacing })
      const [first, ...rest] = given.states ?? []
      const states = first
        ? [{ ...first, end: { on: 'all_responded' as const, afterMs: 10_000 } }, ...rest]
        : []
      expect(playAgents({ ...given, states }).plan(agent)).toEqual(['state', 5_000])
    },
  )

  it('[RM124] when somebody writes; what is written until it is asked needs no turn of its own', () => {
    const room = playAgents()
    room.say('p1', 'one')
    expect(room.plan(agent)).toEqual(['state', thinkMs])
    room.act(agent, [saying('hello')])
    expect(room.plan(agent)).toEqual(['lull', lullMs])
    room.say('p1', 'two')
    const planned = room.pending(agent)
    expect(room.plan(agent)).toEqual(['message', thinkMs])
    room.say('p2', 'three')
    expect(room.pending(agent)).toEqual(planned)
  })

  it('[RM124] again for messages that came while it was being asked', () => {
    const room = playAgents()
    room.pass(thinkMs)
    const { messageCount } = room.room()
    room.say('p1', 'meanwhile')
    room.take(agent, [saying('hello')], { seenMessages: messageCount })
    expect(room.plan(agent)).toEqual(['message', thinkMs])
    room.act(agent)
    expect(room.plan(agent)?.[0]).toBe('lull')
  })

  it('[RM124] a turn that is being asked is not lost to a message', () => {
    const room = playAgents()
    room.act(agent)
    room.pass(lullMs)
    const asked = room.pending(agent)
    room.say('p1', 'and you?')
    expect(room.pending(agent)).toEqual(asked)
    expect(room.take(agent, [saying('fine')], { seenMessages: 0 })).toBeTypeOf('number')
    expect(room.plan(agent)?.[0]).toBe('message')
  })

  it('[RM124] not for messages in chats that it does not see, its own, or announcements', () => {
    const whisper = component('whisper', 'chat', { roles: ['a'] })
    const given = withAgent({ role: 'b' }, [chat, whisper], { roles: ['a', 'b'] })
    const room = playAgents(given, { roles: ['a', 'a'] })
    room.act(agent)
    room.say('p1', 'psst', { componentId: 'whisper' })
    room.dispatch({ type: 'announce', text: 'Go on', to: null, by: 'researcher' })
    expect(room.plan(agent)?.[0]).toBe('lull')
  })

  it('[RM124] after silences, three times at most; then it has to go on', () => {
    const room = playAgents()
    const causes: string[] = []
    for (let turns = 0; turns < 3; turns += 1) {
      causes.push(room.plan(agent)?.[0] ?? '')
      room.act(agent)
    }
    expect(causes).toEqual(['state', 'lull', 'lull'])
    expect(room.plan(agent)).toEqual(['continue', thinkMs])
    expect(room.moves(agent)).toMatchObject({ canWait: false, canContinue: true })
    expect(room.act(agent)).toBe('ACTION_REFUSED')
    room.say('p1', 'wait a moment')
    expect(room.moves(agent).canWait).toBe(true)
  })

  it('[RM124] in a timed conversation it falls silent after three silences, until somebody writes', () => {
    const room = playAgents(
      group([state('talk', { components: [chat], end: { on: 'timed', afterMs: 3_600_000 } })], {
        agents: [persona({ seats: 1 })],
      }),
    )
    for (let turns = 0; turns < 3; turns += 1) room.act(agent)
    expect(room.pending(agent)).toBeNull()
    room.say('p1', 'still there?')
    expect(room.plan(agent)).toEqual(['message', thinkMs])
  })

  it('[RM124] until it has answered what is required, with every attempt of a check', () => {
    const quiz = component('quiz', 'instructions', {
      questions: [{ id: 'q', options: ['x', 'y'], correct: 'x' }],
      maxAttempts: 2,
      onFail: 'end',
    })
    const room = playAgents(withAgent({}, [quiz]))
    const answer = (option: string) => [answering('quiz', { answers: { q: option } }), continuing]
    expect(room.act(agent, answer('y'))).toBeTypeOf('number')
    expect(room.seat(agent).here.ready).toBe(false)
    expect(room.plan(agent)).toEqual(['continue', thinkMs])
    expect(room.act(agent, answer('y'))).toBeTypeOf('number')
    expect(room.seat(agent)).toMatchObject({ outcome: 'SCREENED_OUT', agent: { pending: null } })
  })

  it.each([
    { on: 'any_responded' as const },
    { on: 'condition' as const, when: 'count(responses.rate) > 0' },
  ])('[RM124] until it has answered something where any answer may end the state: $on', (end) => {
    const optional = component('rate', 'slider', { required: false })
    const given = withAgent({}, [], {
      states: [state('a', { components: [chat, optional], end }), state('b')],
    })
    const room = playAgents(given)
    for (let turns = 0; turns < 3; turns += 1) room.act(agent)
    expect(room.plan(agent)).toEqual(['continue', thinkMs])
    expect(room.act(agent)).toBe('ACTION_REFUSED')
    room.take(agent, [answering('rate', 1)])
    expect(room.at()).toBe('b')
  })

  it('[RM124] minMessages: it does not continue before, unless it has nothing to say', () => {
    const room = playAgents(withAgent({ pacing: { minMessages: 2 } }))
    expect(room.moves(agent).canContinue).toBe(false)
    expect(room.act(agent, [continuing])).toBe('ACTION_REFUSED')
    room.take(agent, [saying('one')])
    expect(room.moves(agent).canContinue).toBe(false)
    room.act(agent, [saying('two')])
    expect(room.moves(agent).canContinue).toBe(true)

    const silent = playAgents(withAgent({ pacing: { minMessages: 2 } }))
    for (let turns = 0; turns < 3; turns += 1) silent.act(agent)
    expect(silent.moves(agent)).toMatchObject({ canContinue: true, canWait: false })
  })

  it('[RM124] maxReplies: it writes no more in this visit, and in the next it may again', () => {
    const given = withAgent({ pacing: { maxReplies: 1 } }, [], { globalComponents: [chat] })
    const room = playAgents(given)
    room.act(agent, [saying('one')])
    expect(room.moves(agent)).toMatchObject({ chats: [], canContinue: true })
    room.act(agent, [saying('two')])
    expect(room.said()).toEqual(['one'])
    room.take(agent, [continuing])
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.moves(agent).chats).toHaveLength(1)
  })

  it('[RM124] pause: nothing is asked, and planned turns move by its length', () => {
    const room = playAgents()
    room.pass(400)
    room.pause()
    expect(room.take(agent, [continuing])).toBe('ROOM_PAUSED')
    expect(room.prompt(agent)).toBe('ACTION_REFUSED')
    room.pass(60_000)
    room.resume()
    expect(room.plan(agent)).toEqual(['state', thinkMs - 400])
  })

  it('[RM124] advance: the turn of the former state is over', () => {
    const room = playAgents()
    const former = room.pending(agent)?.turnId ?? ''
    room.dispatch({ type: 'advance', by: 'researcher' })
    expect(room.take(agent, [continuing], { turnId: former })).toBe('ACTION_REFUSED')
    expect(room.plan(agent)).toEqual(['state', thinkMs])
  })

  it('[RM124] remove: it is asked no more', () => {
    const room = playAgents()
    room.dispatch({ type: 'remove', participantId: agent, outcome: 'TECHNICAL', by: 'researcher' })
    expect([room.pending(agent), room.seat(agent).status]).toEqual([null, 'removed'])
    expect(room.prompt(agent)).toBe('ACTION_REFUSED')
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.at()).toBe('after')
  })

  it('[R91,RM155] asking an agent is in the record of the agent, under the name that others see', () => {
    const room = playAgents()
    room.prompt(agent, 'res_1')
    expect(room.recordsOf(agent, 'agent_asked').map(({ data }) => data)).toEqual([
      { researcher: 'res_1', target: 'P3' },
    ])
  })

  it('[RM124] prompt: a researcher asks it now; one that is being asked already is left alone', () => {
    const room = playAgents()
    expect(room.prompt('p1')).toBe('NOT_FOUND')
    room.prompt(agent)
    expect(room.plan(agent)).toEqual(['demand', 0])
    const asked = room.pending(agent)
    room.prompt(agent)
    expect(room.pending(agent)).toEqual(asked)
    room.take(agent, [continuing])
    room.prompt(agent)
    expect(room.plan(agent)).toEqual(['demand', 0])
  })

  it('[RM48,RM124] a restart or a take-over loses no turn', () => {
    const room = playAgents()
    const planned = room.pending(agent)
    room.passUnnoticed(60_000)
    room.dispatch({ type: 'restored' })
    expect(room.pending(agent)).toEqual(planned)
    expect(planned?.dueAt).toBe(openedAt + thinkMs)
    expect(room.seat(agent).presence.kind).toBe('connected')
  })
})
