import { describe, expect, it } from 'vitest'
import {
  answering,
  chat,
  continuing,
  inSeat,
  persona,
  playAgents,
  saying,
  withAgent,
} from '../test/agent-room.ts'
import { component, group, playRoom, slider, state } from '../test/played-room.ts'

const agent = inSeat(3)
const pick = component('pick', 'multiple_choice', { options: ['a', 'b'] })

describe('A turn of an agent', () => {
  it('[R44,RM125] goes through the rules for people: it is heard, saved and recorded like theirs', () => {
    const saved = component('rate', 'slider', { saveTo: 'own' })
    const given = withAgent({}, [saved, chat], { variables: { own: { scope: 'participant', initial: 0 } } })
    const room = playAgents(given)
    room.act(agent, [saying(' hello '), answering('rate', 30), continuing])
    expect(room.typesHeard('p1').slice(-3)).toEqual(['message', 'response_recorded', 'ready'])
    expect(room.seat(agent)).toMatchObject({ variables: { own: 30 }, here: { ready: true } })
    expect(room.recordsOf(agent, 'chat_message')).toMatchObject([{ data: { text: 'hello' } }])
    expect(room.recordsOf(agent, 'component_response')).toMatchObject([{ data: { value: 30 } }])
    expect(room.recordsOf(agent, 'agent_turn')).toMatchObject([
      { data: { turnId: `${agent}.1`, agentId: 'robo', cause: 'state' } },
    ])
    expect(room.part(agent)).toMatchObject({ used: { calls: 1, tokens: 10, money: 0.5 } })
  })

  it('[R88,RM170] each answer says where it comes from', () => {
    const given = withAgent({}, [slider, pick, chat])
    for (const source of ['model', 'retry', 'script'] as const) {
      const room = playAgents(given)
      room.respond('p1', 'rate', 1)
      room.act(agent, [answering('rate', 30)], { source })
      const sources = room.records.flatMap(({ data }) => data.answerSource ?? [])
      expect(sources).toEqual(['person', source])
    }
    const drawn = playAgents(given)
    drawn.act(agent, [], { fallback: 'default' })
    expect(drawn.recordsOf(agent, 'component_response')).toMatchObject([
      { data: { answerSource: 'fallback' } },
      { data: { answerSource: 'fallback' } },
    ])
    const logged = playAgents(given)
    logged.act(agent, [answering('rate', 30)])
    expect(logged.recordsOf(agent, 'component_response')[0]?.data).not.toHaveProperty('answerSource')
  })

  it('[R44,RM125] is applied once: a reply to any other turn is refused and changes nothing', () => {
    const room = playAgents()
    const turnId = room.pending(agent)?.turnId ?? ''
    room.act(agent, [saying('once')])
    const before = room.room()
    expect(room.take(agent, [saying('twice')], { turnId })).toBe('ACTION_REFUSED')
    expect(room.take(agent, [saying('never')], { turnId: 'made up' })).toBe('ACTION_REFUSED')
    expect(room.take('p1', [saying('not me')], { turnId })).toBe('ACTION_REFUSED')
    expect(room.room()).toBe(before)
    expect(room.said()).toEqual(['once'])
  })

  it('[RM125] is not valid for another agent, even of the same persona', () => {
    const room = playAgents(withAgent({ seats: 2 }))
    const turnId = room.pending(inSeat(4))?.turnId ?? ''
    expect(room.take(agent, [continuing], { turnId })).toBe('ACTION_REFUSED')
  })

  it('[RM125,RM194] a question that its answer has brought is answered in the next turn, before it goes on', () => {
    const why = component('why', 'text_input', { when: 'answers.rate > 40' })
    const room = playAgents(withAgent({}, [component('rate', 'slider', {}), why]))
    room.act(agent, [answering('rate', 56), continuing])
    expect(room.seat(agent).here).toMatchObject({ ready: false, answers: { rate: { value: 56 } } })
    expect(room.take(agent, [continuing])).toBe('ACTION_REFUSED')
    room.act(agent, [answering('why', 'It was good.'), continuing])
    expect(room.seat(agent).here.ready).toBe(true)
  })

  it.each([
    ['an invalid answer', [saying('hi'), answering('rate', 1), answering('pick', 'z'), continuing]],
    ['an answer that is missing', [saying('hi'), answering('rate', 1), continuing]],
    ['an unknown component', [answering('rate', 1), answering('nothing', 1)]],
    ['a chat that is not there', [answering('rate', 1), saying('hi', 'elsewhere')]],
    ['a message that is empty', [answering('rate', 1), saying(' ')]],
    ['a message that is too long', [answering('rate', 1), saying('x'.repeat(4_001))]],
    ['two answers to one question', [answering('rate', 1), answering('rate', 2)]],
  ])('[RM125] is all or nothing: %s', (_, moves) => {
    const room = playAgents(withAgent({}, [slider, pick, chat]))
    const before = room.room()
    expect(room.act(agent, moves)).toMatch(/ACTION_REFUSED|VALIDATION_FAILED/)
    expect(room.room()).toBe(before)
    expect(room.records.filter(({ type }) => type === 'agent_turn')).toEqual([])
  })

  it('[RM125] cannot be a wait where the others would wait for it', () => {
    const room = playAgents(withAgent({}, [slider]))
    expect(room.act(agent)).toBe('ACTION_REFUSED')
    expect(room.pending(agent)).not.toBeNull()
    const silent = playAgents()
    for (let turns = 0; turns < 3; turns += 1) silent.act(agent, [saying('hm')], { isWaiting: true })
    expect(silent.act(agent, [saying('hm')], { isWaiting: true })).toBe('ACTION_REFUSED')
  })

  it('[RM50,RM125] is refused once the room has ended', () => {
    const room = playAgents()
    const turnId = room.pending(agent)?.turnId ?? ''
    room.dispatch({ type: 'end', reason: 'over', by: 'researcher' })
    expect(room.pending(agent)).toBeNull()
    expect(room.take(agent, [continuing], { turnId })).toBe('ROOM_ENDED')
  })

  it('[RM125] that declines consent ends it for this agent alone', () => {
    const room = playAgents(withAgent({}, [component('agree', 'consent')]))
    room.act(agent, [answering('agree', { agreed: false }), continuing])
    expect(room.seat(agent)).toMatchObject({ outcome: 'NO_CONSENT', agent: { pending: null } })
    expect(room.room().status.kind).toBe('running')
  })
})

describe('Without a valid reply', () => {
  const people = ['p1', 'p2']

  it('[R43,RM126] skip: nobody waits for it in this state, and in the next everybody does', () => {
    const given = withAgent({}, [slider], {
      states: [state('a', { components: [slider] }), state('b'), state('c')],
    })
    const room = playAgents(given)
    for (const who of people) {
      room.respond(who, 'rate', 1)
      room.ready(who)
    }
    expect(room.at()).toBe('a')
    room.act(agent, [], { fallback: 'skip' })
    expect(room.at()).toBe('b')
    expect(room.recordsOf(agent, 'agent_turn')).toMatchObject([{ data: { fallback: 'skip' } }])
    for (const who of people) room.ready(who)
    expect(room.at()).toBe('b')
    room.act(agent, [continuing])
    expect(room.at()).toBe('c')
  })

  it('[RM126] skip: a state that is for it alone ends, and the next is entered as usual', () => {
    const own = (id: string) => state(id, { roles: ['b'], components: [slider] })
    const given = group([own('one'), own('two'), state('after')], {
      roles: ['a', 'b'],
      agents: [persona({ seats: 1, role: 'b' })],
    })
    const room = playAgents(given, { roles: ['a', 'a'] })
    room.act(agent, [], { fallback: 'skip' })
    expect([room.at(agent), room.plan(agent)?.[0]]).toEqual(['two', 'state'])
  })

  it('[RM126] skip: where it has no duty, it is asked again when somebody writes', () => {
    const timed = state('talk', { components: [chat], end: { on: 'timed', afterMs: 600_000 } })
    const room = playAgents(group([timed], { agents: [persona({ seats: 1 })] }))
    room.act(agent, [], { fallback: 'skip' })
    room.say('p1', 'hello?')
    expect(room.plan(agent)?.[0]).toBe('message')
  })

  it('[RM126] default: answers are drawn for it, the same whenever the log is read', () => {
    const play = () => {
      const room = playAgents(withAgent({}, [slider, pick]))
      room.act(agent, [], { fallback: 'default' })
      return room
    }
    const room = play()
    const [rate, choice] = ['rate', 'pick'].map((id) => room.seat(agent).responses[id])
    expect(rate).toBeTypeOf('number')
    expect(['a', 'b']).toContain(choice)
    expect(room.seat(agent).here.ready).toBe(true)
    expect(play().room()).toEqual(room.room())
  })

  it('[RM126] default: what a draw cannot do is not waited for', () => {
    const quiz = component('quiz', 'instructions', {
      questions: [{ id: 'q', correct: 'a word that no draw finds' }],
      maxAttempts: 3,
    })
    const room = playAgents(withAgent({}, [quiz]))
    for (const who of people) {
      room.respond(who, 'quiz', { answers: { q: 'a word that no draw finds' } })
      room.ready(who)
    }
    room.act(agent, [], { fallback: 'default' })
    expect(room.at()).toBe('after')
  })

  it('[RM126] leave: it leaves like a person', () => {
    const room = playAgents()
    room.act(agent, [], { fallback: 'leave' })
    expect(room.seat(agent)).toMatchObject({ status: 'left', agent: { pending: null } })
    expect(room.heard('p1')).toContainEqual(expect.objectContaining({ type: 'seat', status: 'left' }))
    for (const who of people) room.ready(who)
    expect(room.at()).toBe('after')
  })

  it.each(['skip', 'leave'] as const)(
    '[RM126] in a state that only a condition ends, answers are drawn even with %s',
    (fallback) => {
      const end = { on: 'condition' as const, when: 'count(responses.rate) >= 3' }
      const given = withAgent({}, [slider], {
        states: [state('a', { components: [slider], end }), state('b')],
      })
      const room = playAgents(given)
      for (const who of people) room.respond(who, 'rate', 1)
      room.act(agent, [], { fallback })
      expect(room.at()).toBe('b')
    },
  )

  it('[RM126] a condition that never holds keeps agents among themselves no longer than they have something to do', () => {
    const end = { on: 'condition' as const, when: 'false' }
    const own = state('own', { roles: ['b'], components: [slider], end })
    const given = group([own, state('after')], {
      roles: ['a', 'b'],
      agents: [persona({ seats: 1, role: 'b' })],
    })
    const room = playAgents(given, { roles: ['a', 'a'] })
    room.act(agent, [answering('rate', 1)])
    expect(room.at()).toBe('after')
  })

  it('[RM126] what an agent cannot answer is not expected of it, even if the definition was saved long ago', () => {
    const stream = component('tension', 'continuous_rating', { required: true })
    for (const end of [{ on: 'button' as const }, { on: 'all_responded' as const }]) {
      const states = [state('a', { components: [stream], end }), state('b')]
      const personas = [persona({ seats: 1 })]
      const room = playRoom(group(states), { personas })
      for (const who of people) {
        room.respond(who, 'tension', [{ t: 0, value: 50 }])
        room.ready(who)
      }
      expect(room.at()).toBe('b')
    }
  })

  it('[RM126] after 200 turns in one visit nobody waits for it any more', () => {
    const room = playAgents(withAgent({ pacing: { maxReplies: 1_000 } }))
    for (const who of people) room.ready(who)
    let turns = 0
    for (; room.at() === 'talk' && turns < 300; turns += 1) room.act(agent, [saying('…')])
    expect([turns, room.at()]).toEqual([200, 'after'])
  })
})
