import { describe, expect, it } from 'vitest'
import { inSeat, persona, playAgents } from '../test/agent-room.ts'
import { component, group, state } from '../test/played-room.ts'

const agent = inSeat(3)
const people = ['p1', 'p2']
const first = component('first', 'slider')
const second = component('second', 'slider')
const hidden = { disclosure: { agents: 'hidden' as const } }
const given = (ask: Parameters<typeof state>[1]) =>
  group([state('ask', ask), state('after')], { agents: [persona({ seats: 1 })], ...hidden })

const answered = (room: ReturnType<typeof playAgents>) =>
  room.recordsOf(agent, 'component_response').map(({ componentId }) => componentId)

describe('What a hidden agent has begun', () => {
  it('[RM126,RM181] all that it has drawn comes before it leaves, so that a condition can hold', () => {
    const end = { on: 'condition' as const, when: 'count(responses.second) > 2' }
    const room = playAgents(given({ components: [first, second], end }))
    room.pass(60_000)
    for (const who of people) for (const id of ['first', 'second']) room.respond(who, id, 1)
    room.act(agent, [], { fallback: 'leave' })
    expect(room.seat(agent).status).toBe('active')
    room.pass(1_000)
    expect(answered(room)).toEqual(['first', 'second'])
    expect(room.seat(agent)).toMatchObject({ status: 'left', outcome: 'ABANDONED' })
    expect(room.at()).toBe('after')
  })

  it('[RM126,RM181] an answer that ends the state keeps it neither from giving the others nor from leaving', () => {
    const end = { on: 'condition' as const, when: 'count(responses.first) > 0' }
    const room = playAgents(given({ components: [first, second], end }))
    room.pass(60_000)
    room.act(agent, [], { fallback: 'leave' })
    expect(room.at()).toBe('ask')
    room.pass(1_000)
    expect(answered(room)).toEqual(['first', 'second'])
    expect([room.at(), room.seat(agent).status]).toEqual(['after', 'left'])
  })

  it('[RM126,RM181] what it has drawn comes even if nobody waits for it, because it cannot draw everything', () => {
    const right = { answers: { q: 'a word that no draw finds' } }
    const quiz = component('quiz', 'instructions', {
      questions: [{ id: 'q', correct: right.answers.q }],
      maxAttempts: 3,
    })
    const end = { on: 'all_responded' as const }
    const room = playAgents(given({ components: [quiz, first, second], end }))
    room.pass(60_000)
    for (const who of people) {
      for (const id of ['first', 'second']) room.respond(who, id, 1)
      room.respond(who, 'quiz', right)
    }
    room.act(agent, [], { fallback: 'default' })
    room.pass(1_000)
    expect([answered(room), room.at()]).toEqual([['quiz', 'first', 'second'], 'after'])
  })
})
