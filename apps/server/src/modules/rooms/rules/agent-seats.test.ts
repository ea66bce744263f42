import { describe, expect, it } from 'vitest'
import { mayRest } from '../model/deadlines.ts'
import { answering, chat, continuing, inSeat, persona, playAgents, withAgent } from '../test/agent-room.ts'
import { group, slider, state } from '../test/played-room.ts'

const graceMs = 5_000

describe('Seats of agents', () => {
  it('[RM120] are on top of the group, in the order of the definition, and are awaited like people', () => {
    const room = playAgents(withAgent({ seats: 2 }, [slider]))
    expect(room.room().seats.map(({ alias, participantId }) => [alias, participantId])).toEqual([
      ['P1', 'p1'],
      ['P2', 'p2'],
      ['P3', inSeat(3)],
      ['P4', inSeat(4)],
    ])
    for (const who of ['p1', 'p2']) {
      room.respond(who, 'rate', 1)
      room.ready(who)
    }
    expect(room.at()).toBe('talk')
    room.act(inSeat(3), [answering('rate', 1), continuing])
    expect(room.at()).toBe('talk')
    room.act(inSeat(4), [answering('rate', 1), continuing])
    expect(room.at()).toBe('after')
  })

  it('[RM120] make a room of one person a group', () => {
    const room = playAgents(withAgent({}, [slider], { matching: { groupSize: 1 } }))
    expect(room.room().flow).not.toBeNull()
    room.respond('p1', 'rate', 1)
    room.ready('p1')
    expect(room.at()).toBe('talk')
  })

  it('[RM120] in a pilot, without a role of their own, take the roles that fewest have', () => {
    const given = withAgent({ seats: 0 }, [chat], { roles: ['a', 'b', 'c'] })
    const room = playAgents(given, { roles: ['b', 'b'], personas: [persona({ seats: 2 })] })
    expect(room.room().seats.map(({ role }) => role)).toEqual(['b', 'b', 'a', 'c'])
  })

  it('[RM121] that matching left are filled by the first agent that may fill the role', () => {
    const agents = [
      persona({ id: 'sits' }),
      persona({ id: 'seller', fills: true, role: 'b' }),
      persona({ id: 'any', fills: true }),
    ]
    const given = withAgent({}, [chat], { roles: ['a', 'b'], agents })
    const room = playAgents(given, { roles: ['a', 'a'], agents: [{ role: 'a' }, { role: 'b' }] })
    expect(room.room().seats.slice(2)).toMatchObject([
      { role: 'a', status: 'active', agent: { agentId: 'any' } },
      { role: 'b', status: 'active', agent: { agentId: 'seller' } },
    ])
  })

  it('[RM121] stay free when no agent may fill them, as in rooms of earlier versions', () => {
    const room = playAgents(withAgent({ seats: 0 }), { agents: [{ role: 'participant' }] })
    expect(room.seat('agent_3')).toMatchObject({ status: 'agent' })
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.at()).toBe('after')
  })

  it('[RM120] are recorded like people: role, condition, variables, states and end', () => {
    const room = playAgents(
      withAgent({}, [slider], {
        conditions: { values: ['x'] },
        variables: { own: { scope: 'participant', initial: 1 } },
      }),
    )
    room.act(inSeat(3), [answering('rate', 5), continuing])
    const types = room.records.filter((one) => one.participantId === inSeat(3)).map(({ type }) => type)
    expect(types).toEqual([
      'condition_assigned',
      'variables_changed',
      'state_transition',
      'component_response',
      'ready',
      'agent_turn',
    ])
    for (const who of ['p1', 'p2']) room.leave(who)
    expect(room.recordsOf(inSeat(3), 'finished')).toHaveLength(1)
  })
})

describe('Rooms of people and agents', () => {
  it('[RM127] rest when no person is connected, however lively the agents are', () => {
    const room = playAgents(withAgent({}, [chat], { dropout: { policy: 'wait', graceMs } }))
    expect(mayRest(room.room())).toBe(false)
    for (const who of ['p1', 'p2']) room.disconnect(who)
    expect(mayRest(room.room())).toBe(false)
    room.pass(graceMs)
    expect(mayRest(room.room())).toBe(true)
    room.connect('p1')
    expect(mayRest(room.room())).toBe(false)
  })

  it.each(['wait', 'continue'] as const)(
    '[RM127] %s: agents do not go on without people, who find the room where they left it',
    (policy) => {
      const given = withAgent({}, [slider], { matching: { groupSize: 1 }, dropout: { policy, graceMs } })
      const room = playAgents(given)
      room.respond('p1', 'rate', 1)
      room.disconnect('p1')
      room.act(inSeat(2), [answering('rate', 1), continuing])
      room.pass(10 * graceMs)
      room.connect('p1')
      expect(room.at()).toBe('talk')
      room.ready('p1')
      expect(room.at()).toBe('after')
    },
  )

  it('[RM127] people wait for a state that is for agents only, and go on when it ends', () => {
    const given = group(
      [state('decide', { components: [slider], roles: ['b'], end: { on: 'all_responded' } }), state('after')],
      { roles: ['a', 'b'], agents: [persona({ seats: 1, role: 'b' })] },
    )
    const room = playAgents(given, { roles: ['a', 'a'] })
    expect(room.snapshot('p1').state).toMatchObject({ id: 'decide', isWaiting: true })
    room.act(inSeat(3), [answering('rate', 1)])
    expect(room.at()).toBe('after')
  })

  it('[RM127] at their own pace, agents follow their own path, while somebody is there', () => {
    const states = ['s1', 's2'].map((id) => state(id, { components: [slider] }))
    const room = playAgents(
      withAgent({}, [], { states, pacing: 'participant', dropout: { policy: 'wait', graceMs } }),
    )
    const goOn = () => room.act(inSeat(3), [answering('rate', 1), continuing])
    goOn()
    expect([room.at('p1'), room.at(inSeat(3))]).toEqual(['s1', 's2'])
    for (const who of ['p1', 'p2']) room.disconnect(who)
    room.pass(graceMs)
    goOn()
    expect(room.at(inSeat(3))).toBe('s2')
    room.connect('p1')
    expect(room.seat(inSeat(3))).toMatchObject({ status: 'finished', outcome: 'SUCCESS' })
    expect(room.room().status.kind).toBe('running')
  })

  it('[RM127] end when all people are done, at their own pace too', () => {
    for (const pacing of ['room', 'participant'] as const) {
      const room = playAgents(withAgent({}, [chat], { pacing }))
      room.leave('p1')
      expect(room.room().status.kind).toBe('running')
      room.leave('p2')
      expect(room.room().status).toEqual({ kind: 'ended', reason: 'everyone_done' })
      expect(room.seat(inSeat(3))).toMatchObject({ outcome: 'ABANDONED', agent: { pending: null } })
    }
  })

  it('[RM128] of agents alone (pilots) play the personas of the pilot to the end, and never rest', () => {
    const personas = [persona({ id: 'one' }), persona({ id: 'two', seats: 1 })]
    const given = withAgent({ seats: 5 }, [slider])
    const agents = [{ role: 'participant', agentId: 'one' }]
    const room = playAgents(given, { roles: [], agents, personas })
    expect(room.room().seats.map(({ agent }) => agent?.agentId)).toEqual(['two', 'one'])
    expect([room.due(), mayRest(room.room())]).toEqual([null, false])
    for (const who of [inSeat(1), inSeat(2)]) room.act(who, [answering('rate', 1), continuing])
    for (const who of [inSeat(1), inSeat(2)]) room.act(who, [continuing])
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'finished' })
    expect(room.outcomes()).toEqual(['SUCCESS', 'SUCCESS'])
  })
})
