import { describe, expect, it } from 'vitest'
import { forgetPerson } from '../model/forget-person.ts'
import {
  answering,
  chat,
  continuing,
  inSeat,
  mediatorId,
  persona,
  playAgents,
  saying,
} from '../test/agent-room.ts'
import { component, group, slider, state } from '../test/played-room.ts'

const graceMs = 5_000
const ask = state('ask', { components: [slider], end: { on: 'all_responded' } })
const replacing = (more: object = {}) =>
  group([ask, state('after')], {
    matching: { groupSize: 3 },
    dropout: { policy: 'replace_with_agent', graceMs },
    agents: [persona({ replaces: true })],
    variables: { own: { scope: 'participant', initial: 7 }, total: { compute: 'sum(responses.rate)' } },
    ...more,
  })

describe('When an agent replaces somebody', () => {
  it.each(['drop', 'leave'] as const)(
    '[RM122] after a %s it goes on where they stopped, with their variables, answers and messages',
    (how) => {
      const whisper = component('whisper', 'chat', { roles: ['b'] })
      const room = playAgents(
        replacing({
          roles: ['a', 'b'],
          states: [
            state('ask', {
              components: [slider, component('more', 'slider', { saveTo: 'own' }), whisper],
              end: { on: 'all_responded' },
            }),
            state('after'),
          ],
        }),
        { roles: ['a', 'b', 'b'] },
      )
      room.say('p2', 'between us', { componentId: 'whisper' })
      room.respond('p3', 'more', 42)
      if (how === 'leave') room.leave('p3')
      else {
        room.disconnect('p3')
        room.pass(graceMs)
      }
      const left = { status: how === 'leave' ? 'left' : 'replaced', outcome: 'ABANDONED' }
      expect(room.seat('p3')).toMatchObject({ ...left, replacedBy: inSeat(4) })
      expect(room.seat(inSeat(4))).toMatchObject({
        alias: 'P4',
        role: 'b',
        variables: { own: 42 },
        responses: { more: 42 },
      })
      expect(room.snapshot(inSeat(4)).messages).toMatchObject([{ text: 'between us' }])
      expect(room.moves(inSeat(4)).answers.map((one) => one.component.id)).toEqual(['rate'])
      expect(room.recordsOf(inSeat(4), 'agent_seated')).toMatchObject([{ data: { replaces: 'P3' } }])
      expect(room.recordsOf(inSeat(4), 'variables_changed')).toMatchObject([
        {
          stateId: 'ask',
          data: { scope: 'participant', changes: [{ variable: 'own', value: 42, cause: 'inherited' }] },
        },
      ])
      expect(room.recordsOf(inSeat(4), 'component_response')).toMatchObject([
        { stateId: 'ask', componentId: 'more', data: { value: 42, answerSource: 'inherited' } },
      ])
      expect(room.heard('p1')).toContainEqual(expect.objectContaining({ type: 'seated' }))

      for (const who of ['p1', 'p2']) for (const id of ['rate', 'more']) room.respond(who, id, 1)
      expect(room.at()).toBe('ask')
      room.act(inSeat(4), [answering('rate', 3)])
      expect(room.at()).toBe('after')
    },
  )

  it.each(['drop', 'leave'] as const)(
    '[R43,RM175] where agents are hidden, a %s looks as if they had been away and come back',
    (how) => {
      const given = replacing({
        disclosure: { agents: 'hidden' },
        states: [state('talk', { components: [chat, slider] }), state('after')],
        globalComponents: [],
      })
      const room = playAgents(given)
      const { alias } = room.seat('p3')
      room.say('p3', 'I was here')
      room.respond('p3', 'rate', 4)
      const before = room.snapshot('p1')
      const heard = room.heard('p1').length
      if (how === 'leave') room.leave('p3')
      else {
        room.disconnect('p3')
        room.pass(graceMs)
      }
      expect(room.snapshot('p3').self.status).toBe('left')
      const agent = inSeat(4)
      expect(room.seat(agent)).toMatchObject({ alias, presence: { kind: 'away' } })
      expect(room.pending(agent)).toBeNull()
      const away = { ...before.others.find((other) => other.alias === alias), presence: 'away' }
      const shown = () => room.snapshot('p1').others
      expect(shown()).toEqual(before.others.map((other) => (other.alias === alias ? away : other)))
      room.pass(60_000)
      expect(shown()).toEqual(before.others)
      expect(room.snapshot('p1').messages).toEqual(before.messages)
      expect(room.heard('p1').slice(heard)).toMatchObject([
        { type: 'presence', alias, presence: 'away' },
        { type: 'presence', alias, presence: 'connected' },
      ])
      room.act(agent, [saying('back again'), continuing])
      room.pass(60_000)
      expect(room.snapshot('p1').messages.map(({ from, text }) => [from, text])).toEqual([
        [alias, 'I was here'],
        [alias, 'back again'],
      ])
      expect(room.recordsOf(agent, 'chat_message')).toHaveLength(1)
      expect(room.recordsOf(agent, 'component_response')).toMatchObject([
        { data: { value: 4, answerSource: 'inherited' } },
      ])
      // Deleting the person leaves what the agent wrote under the same name.
      const erased = forgetPerson(room.room(), { participantId: 'p3', erasedId: 'e1' }, room.blueprint)
      expect(erased.messages.map(({ message }) => message.text)).toEqual(['back again'])
    },
  )

  it('[RM122] what they had answered counts once', () => {
    const room = playAgents(replacing())
    room.respond('p3', 'rate', 40)
    room.respond('p1', 'rate', 2)
    room.leave('p3')
    expect(room.snapshot('p1').variables.total).toBe(42)
    room.respond('p2', 'rate', 0)
    expect([room.at(), room.snapshot('p1').variables.total]).toEqual(['after', 42])
  })

  it('[RM122] nobody who has completed, withdrawn or been removed is replaced, nor is an agent', () => {
    for (const action of [
      { type: 'completed', participantId: 'p3', outcome: 'SUCCESS' },
      { type: 'withdrawn', participantId: 'p3' },
      { type: 'remove', participantId: 'p3', outcome: 'TECHNICAL', by: 'researcher' },
    ] as const) {
      const room = playAgents(replacing())
      room.dispatch(action)
      expect(room.room().seats).toHaveLength(3)
    }
    const room = playAgents(replacing())
    room.leave('p3')
    room.act(inSeat(4), [], { fallback: 'leave' })
    expect(room.statuses()).toEqual(['active', 'active', 'left', 'left'])
  })

  it('[RM122] the last person is not replaced: the room ends', () => {
    const room = playAgents(replacing())
    for (const who of ['p1', 'p2', 'p3']) room.leave(who)
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'everyone_done' })
    expect(room.statuses()).toEqual(['left', 'left', 'left', 'finished', 'finished'])
  })

  it('[RM122] on their own path, it goes on with theirs', () => {
    const states = ['s1', 's2', 's3'].map((id) => state(id))
    const room = playAgents(replacing({ states, pacing: 'participant', variables: {} }))
    room.ready('p3')
    room.leave('p3')
    expect(room.at(inSeat(4))).toBe('s2')
    room.act(inSeat(4), [continuing])
    expect(room.at(inSeat(4))).toBe('s3')
    expect([room.at('p1'), room.at('p2')]).toEqual(['s1', 's1'])
  })
})

describe('Disclosure', () => {
  const seen = (disclosure?: 'named' | 'hidden') => {
    const room = playAgents(
      replacing({
        states: [state('talk', { components: [chat, slider] }), state('after')],
        agents: [
          persona({ id: 'x1', seats: 1, replaces: true }),
          persona({ id: 'x2', name: 'Guide', mediates: ['talk'], speaks: { on: 'demand' } }),
        ],
        ...(disclosure && { disclosure: { agents: disclosure } }),
      }),
    )
    room.pass(60_000)
    room.act(inSeat(4), [saying('hello')])
    room.leave('p3')
    room.pass(60_000)
    room.act(inSeat(5), [saying('me too')])
    room.prompt(mediatorId)
    room.act(mediatorId, [saying('welcome')])
    room.act(inSeat(4), [answering('rate', 1), continuing])
    return {
      room,
      heard: JSON.stringify(room.heard('p1')),
      snapshot: room.snapshot('p1'),
      joined: room.heard('p1').filter(({ type }) => type === 'seated'),
    }
  }

  it('[R43,RM123] people see the names of agents, and which messages are theirs', () => {
    const { snapshot, joined } = seen()
    expect(snapshot.others.map(({ alias, agent }) => [alias, agent])).toEqual([
      ['P2', undefined],
      ['P3', undefined],
      ['P4', 'Robin'],
      ['P5', 'Robin'],
    ])
    expect(joined).toMatchObject([{ other: { alias: 'P5', agent: 'Robin' } }])
    expect(snapshot.messages).toMatchObject([
      { from: 'P4', agent: true },
      { from: 'P5', agent: true },
      { from: 'Guide', agent: true },
    ])
    expect(seen('named').snapshot).toEqual(snapshot)
  })

  it('[R43,RM123] hidden: nothing that people receive says so, not even an id', () => {
    const { room, snapshot, heard } = seen('hidden')
    const received = JSON.stringify(snapshot) + heard
    expect(received).not.toMatch(/agent|robin|x1|x2/i)
    const aliases = [inSeat(4), inSeat(5)].map((id) => room.seat(id).alias)
    expect(snapshot.messages.map(({ from }) => from)).toEqual([...aliases, 'Guide'])
    expect(aliases[1]).toBe(room.seat('p3').alias)
  })
})
