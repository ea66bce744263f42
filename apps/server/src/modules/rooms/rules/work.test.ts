import { describe, expect, it } from 'vitest'
import { answering, chat, inSeat, persona, playAgents, saying } from '../test/agent-room.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'

const instant = { on: 'timed', afterMs: 0 } as const
const loop = (onEnter: Record<string, string> = {}, variables: Record<string, unknown> = {}) => ({
  variables: { turns: 0, ...variables },
  states: [
    state('start'),
    state('again', {
      end: instant,
      onEnter: { turns: 'turns + 1', ...onEnter },
      next: [{ to: 'again', when: 'turns < 1000000', atMost: 10_000 }],
    }),
    state('rest'),
  ],
})

describe('the work of an action', () => {
  it('[RM62] a room that never settles ends, with the code of a technical failure, and stays ended', () => {
    const room = playRoom(loop())
    expect(room.ready('p1')).toBeTypeOf('number')
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'too_much_work' })
    expect(room.outcomes()).toEqual(['TECHNICAL'])
    expect(room.recordsOf('p1', 'finished')[0]?.data).toEqual({
      outcome: 'TECHNICAL',
      reason: 'too_much_work',
      fromState: 'again',
    })
    expect(room.due()).toBeNull()
    expect(room.ready('p1')).toBe('ROOM_ENDED')
  })

  it('[RM62] what was done is kept, and the action that was too much is in the record', () => {
    const room = playRoom(loop())
    room.ready('p1')
    expect(room.recordsOf('p1', 'ready')).toHaveLength(1)
    expect(room.seat('p1').recent).toHaveLength(1)
  })

  it('[RM62] the number of states passed in one action is bounded by their cost', () => {
    const moves = (onEnter: Record<string, string>, variables: Record<string, unknown>) => {
      const room = playRoom(loop(onEnter, variables))
      room.ready('p1')
      return room.path().length
    }
    const light = moves({}, {})
    const heavy = moves({ total: `sum([${Array.from({ length: 400 }, () => '1').join()}])` }, { total: 0 })
    const list = Array.from({ length: 9_999 }, (_, index) => index)
    expect(light).toBeLessThan(2_500)
    expect(heavy).toBeLessThan(light / 2)
    expect(moves({ total: 'sum(sort(list))' }, { list, total: 0 })).toBeLessThan(100)
  })

  it('[RM62] replaying gives the same room', () => {
    const [one, other] = [playRoom(loop()), playRoom(loop())]
    for (const room of [one, other]) room.ready('p1')
    expect(one.room()).toEqual(other.room())
  })

  it('[RM62] computed variables count, for everyone who sees them', () => {
    const list = Array.from({ length: 9_999 }, (_, index) => index)
    const computed = Object.fromEntries(
      Array.from({ length: 900 }, (_, index) => [`c${index}`, { compute: 'sum(list) + max(list)' }]),
    )
    const room = playRoom({ states: [state('a'), state('b')], variables: { list, ...computed } })
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'too_much_work' })
    // RM98: reading the ended room computes nothing more.
    expect(room.snapshot('p1').variables).toEqual({})
  })

  it('[RM62] in a large group, everyone may be paid by what everyone did', () => {
    const people = 1_000
    const room = playRoom(
      group(
        [
          state('give', {
            end: { on: 'all_responded' },
            components: [component('gift', 'slider')],
            onEnd: { pay: 'pay + 20 - response.gift + 0.4 * sum(responses.gift)' },
          }),
          state('after'),
        ],
        {
          matching: { groupSize: people },
          variables: { pay: { scope: 'participant', initial: 0 } },
        },
      ),
      { isConnected: false },
    )
    for (let person = 1; person <= people; person += 1) room.respond(`p${person}`, 'gift', 5)
    expect(room.at()).toBe('after')
    expect(room.seat('p1000').variables.pay).toBe(2_015)
  })

  it('[RM62] a hundred agents talk, answer and are paid like people', () => {
    const ask = state('give', {
      components: [chat, component('gift', 'slider')],
      end: { on: 'all_responded' },
      onEnd: { pay: 'pay + 0.4 * sum(responses.gift)' },
    })
    const room = playAgents(
      group([ask, state('after')], {
        agents: [persona({ seats: 100 })],
        variables: { pay: { scope: 'participant', initial: 0 }, total: { compute: 'sum(responses.gift)' } },
      }),
    )
    for (const who of ['p1', 'p2']) room.respond(who, 'gift', 5)
    for (let number = 3; number <= 102; number += 1)
      room.act(inSeat(number), [saying('five'), answering('gift', 5)])
    expect(room.at()).toBe('after')
    expect(room.seat(inSeat(102)).variables.pay).toBe(204)
    expect(room.pending(inSeat(102))?.cause).toBe('state')
  })

  it.each([
    ['what is asked about nobody', 60, (at: number) => `each.given > ${at}`],
    ['what depends on who answers as well', 10, (at: number) => `each.given > self.given + ${at}`],
    ['one condition of many questions', 20, () => 'each.role != role'],
    ['what depends on nobody', 60, (at: number) => `visit > ${at + 3}`],
  ])('[RM62,RM196] in a group of 50, deciding about %s does not end the room', (_what, count, when) => {
    const people = 50
    const asked = Array.from({ length: count }, (_, at) =>
      component(`q${at}`, 'slider', { forEach: 'others', when: when(at) }),
    )
    const room = playRoom(
      group([state('ask', { components: asked, end: { on: 'all_responded' } }), state('after')], {
        matching: { groupSize: people },
        variables: { given: { scope: 'participant', initial: 0 } },
      }),
      { roles: Array.from({ length: people }, () => 'participant') },
    )
    expect(room.room().status).toEqual({ kind: 'running' })
    expect(room.at()).toBe('after')
    const [missing] = room.recordsOf('p50', 'answers_missing')
    expect(missing?.data.components).toHaveLength(count)
    expect(missing?.data.components).toContainEqual({ componentId: 'q0', reason: 'not_shown' })
  })

  it('[RM62] a long path that ends at once does not end the room', () => {
    const states = Array.from({ length: 500 }, (_, index) =>
      state(`s${index}`, { end: instant, onEnter: { n: 'n + 1' } }),
    )
    const room = playRoom({ variables: { n: 0 }, states: [state('start'), ...states, state('rest')] })
    room.ready('p1')
    expect(room.at()).toBe('rest')
    expect(room.room().variables.n).toBe(500)
  })
})
