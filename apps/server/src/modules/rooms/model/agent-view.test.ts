import { describe, expect, it } from 'vitest'
import { chat, inSeat, mediatorId, persona, playAgents, saying, withAgent } from '../test/agent-room.ts'
import { component, group, state } from '../test/played-room.ts'
import { agentViewOf } from './agent-view.ts'

type Room = ReturnType<typeof playAgents>

const perceived = (room: Room, participantId: string) =>
  agentViewOf(room.room(), room.blueprint, participantId, room.now())?.perception

describe('What an agent is asked with', () => {
  it('[RM97] nothing that somebody wrote who has withdrawn their consent', () => {
    const mediator = persona({ id: 'guide', mediates: [chat.id], speaks: { on: 'every', messages: 1 } })
    const room = playAgents(withAgent({}, [chat], { agents: [persona({ seats: 1 }), mediator] }))
    room.say('p1', 'mine')
    room.say('p2', 'not any more')
    const texts = (who: string) => perceived(room, who)?.events.map(({ content }) => content)
    expect([texts(inSeat(3)), texts(mediatorId)]).toEqual(Array(2).fill(['mine', 'not any more']))
    room.dispatch({ type: 'withdrawn', participantId: 'p2' })
    expect([texts(inSeat(3)), texts(mediatorId)]).toEqual(Array(2).fill(['mine']))
  })

  it('[R43] a mediator is told the variables that it sees, and the state of those who read its chat', () => {
    const mediator = persona({
      id: 'guide',
      mediates: [chat.id],
      sees: ['points', 'pot'],
      speaks: { on: 'every', messages: 1 },
    })
    const room = playAgents(
      group([state('talk', { components: [chat] })], {
        agents: [mediator],
        variables: {
          points: { scope: 'participant', initial: 3 },
          pot: { initial: 5, secret: true },
          key: { initial: 'secret' },
        },
      }),
    )
    room.say('p1', 'hello')
    expect(perceived(room, mediatorId)).toMatchObject({
      self: { role: null, alias: 'Robin' },
      state: { id: 'talk' },
      variables: { pot: 5 },
      others: [
        { alias: 'P1', variables: { points: 3 } },
        { alias: 'P2', variables: { points: 3 } },
      ],
    })
    expect(JSON.stringify(perceived(room, mediatorId))).not.toContain('secret')
  })

  it('[RM248,RM249] in a network, its neighbours and what they wrote; a mediator reads everything', () => {
    const talk = component('talk', 'chat', { audience: 'neighbours' })
    const mediator = persona({ id: 'guide', mediates: ['talk'], speaks: { on: 'every', messages: 1 } })
    const network = {
      kind: 'edges' as const,
      edges: [
        [1, 2],
        [2, 3],
      ],
    }
    const room = playAgents(withAgent({}, [talk], { agents: [persona({ seats: 1 }), mediator], network }))
    room.say('p1', 'far')
    room.say('p2', 'near')
    const texts = (who: string) => perceived(room, who)?.events.map(({ content }) => content)
    expect(perceived(room, inSeat(3))?.others.map(({ alias }) => alias)).toEqual(['P2'])
    expect([texts(inSeat(3)), texts(mediatorId)]).toEqual([['near'], ['far', 'near']])
    room.take(inSeat(3), [saying('hello', 'talk')])
    expect(room.snapshot('p1').messages.map(({ text }) => text)).toEqual(['far', 'near'])
    expect(room.snapshot('p2').messages.map(({ text }) => text)).toEqual(['far', 'near', 'hello'])
  })

  it('[R44] there is nothing to ask while no turn is pending, or the room is paused', () => {
    const room = playAgents(withAgent())
    expect(perceived(room, 'p1')).toBeUndefined()
    room.pause()
    expect(perceived(room, inSeat(3))).toBeUndefined()
  })
})
