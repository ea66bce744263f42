import { describe, expect, it } from 'vitest'
import { answering, continuing, inSeat, persona, playAgents } from '../test/agent-room.ts'
import { component, group, state } from '../test/played-room.ts'

const agent = inSeat(3)
const people = ['p1', 'p2']
const first = component('first', 'slider')
const second = component('second', 'slider')
const hidden = { disclosure: { agents: 'hidden' as const } }
const given = (ask: Parameters<typeof state>[1]) =>
  group([state('ask', ask), state('after')], { agents: [persona({ seats: 1 })], ...hidden })

function restart(room: ReturnType<typeof playAgents>): void {
  room.dispatch({ type: 'restored' })
  for (const who of people) room.connect(who)
}

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

  it('[RM174,RM181] an agent that answers last loses none of its optional answers', () => {
    const optional = ['x', 'y'].map((id) => component(id, 'slider', { required: false }))
    const end = { on: 'all_responded' as const }
    const room = playAgents(given({ components: [first, ...optional, second], end }))
    room.pass(60_000)
    for (const who of people) for (const id of ['first', 'second']) room.respond(who, id, 1)
    room.act(
      agent,
      ['second', 'y', 'first', 'x'].map((id) => answering(id, 1)),
    )
    room.pass(1_000)
    expect([answered(room), room.at()]).toEqual([['x', 'y', 'first', 'second'], 'after'])
  })

  it('[RM48,RM181] what was to come when the server started anew is asked again, and never comes in the next visit', () => {
    const room = playAgents(given({ components: [first, second] }))
    const moves = [answering('first', 1), answering('second', 2), continuing]
    room.pass(60_000)
    room.act(agent, moves)
    restart(room)
    expect(room.seat(agent).presence.kind).toBe('away')
    const back = room.part(agent)?.arrival?.dueAt ?? 0
    room.pass(back - room.now() - 1)
    expect(answered(room)).toEqual(['first'])
    room.pass(1)
    room.act(agent, moves.slice(1))
    restart(room)
    room.dispatch({ type: 'advance', by: 'researcher' })
    room.pass(60_000)
    expect(answered(room)).toEqual(['first', 'second'])
    expect([room.at(), room.seat(agent).here.ready]).toEqual(['after', false])
  })

  it('[RM173,RM181] an agent that goes with the people is asked when it is back, even if nothing is required of it', () => {
    const components = [first, second].map((one) => ({ ...one, required: false }))
    const room = playAgents(given({ components, end: { on: 'timed', afterMs: 600_000 } }))
    room.pass(2_000)
    restart(room)
    room.pass(60_000)
    expect(room.pending(agent)).not.toBeNull()
    room.act(agent, [answering('first', 1), answering('second', 2)])
    restart(room)
    room.pass(60_000)
    room.act(agent, [answering('second', 3)])
    expect(answered(room)).toEqual(['first', 'second'])
  })
})
