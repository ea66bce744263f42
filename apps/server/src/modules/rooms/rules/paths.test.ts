import type { State } from '@atrium/contract'
import { planSteps } from '@atrium/flow'
import { describe, expect, it } from 'vitest'
import { group, playRoom, slider, state } from '../test/played-room.ts'

const timed = { on: 'timed' as const, afterMs: 1 }
const quick = (id: string, more: Partial<State> = {}) => state(id, { end: timed, ...more })

describe('Where a room leads', () => {
  it('[RM13] the first transition that holds is taken, over variables and responses', () => {
    const states = [
      state('ask', {
        components: [{ ...slider, saveTo: 'score' }],
        end: { on: 'all_responded' },
        next: [
          { to: 'high', when: 'score > 80' },
          { to: 'middle', when: 'response.rate > 40' },
          { to: 'low' },
        ],
      }),
      quick('low', { next: [{ to: 'end' }] }),
      quick('middle', { next: [{ to: 'end' }] }),
      quick('high'),
    ]
    const ways = [90, 50, 10].map((value) => {
      const room = playRoom({ states, variables: { score: { scope: 'participant' } } })
      room.respond('p1', 'rate', value)
      room.pass(1)
      expect(room.outcomes()).toEqual(['SUCCESS'])
      return room.path()
    })
    expect(ways).toEqual([
      ['ask', 'high'],
      ['ask', 'middle'],
      ['ask', 'low'],
    ])
  })

  it('[RM13] when no transition holds, the next step follows', () => {
    const states = [quick('a', { next: [{ to: 'c', when: 'round == 9' }] }), quick('b'), quick('c')]
    const room = playRoom({ states })
    room.pass(3)
    expect(room.path()).toEqual(['a', 'b', 'c'])
    expect(room.records.at(-1)).toMatchObject({ type: 'finished', data: { outcome: 'SUCCESS' } })
  })

  it('[RM13] a transition is recorded with where it came from and the visit', () => {
    const room = playRoom({ states: [quick('a'), quick('b')] })
    room.pass(1)
    expect(room.recordsOf('p1', 'state_transition').map(({ data }) => data)).toEqual([
      { fromState: null, toState: 'a', visit: 1 },
      { fromState: 'a', toState: 'b', visit: 2 },
    ])
  })

  it('[RM14] a loop is taken as often as its bound allows and then skipped', () => {
    const states = [quick('a'), quick('b', { next: [{ to: 'a', atMost: 2 }] }), quick('c')]
    const room = playRoom({ states })
    room.pass(20)
    expect(room.path()).toEqual(['a', 'b', 'a', 'b', 'a', 'b', 'c'])
  })

  it('[RM14] a loop with a condition ends when it no longer holds', () => {
    const states = [
      quick('a', { onEnd: { tries: 'tries + 1' }, next: [{ to: 'a', when: 'tries < 3', atMost: 50 }] }),
      quick('b'),
    ]
    const room = playRoom({ states, variables: { tries: 0 } })
    room.pass(20)
    expect(room.path()).toEqual(['a', 'a', 'a', 'b'])
  })

  it('[RM14] answers of one visit are gone in the next', () => {
    const states = [
      state('ask', { components: [slider], end: { on: 'all_responded' }, next: [{ to: 'ask', atMost: 1 }] }),
    ]
    const room = playRoom({ states })
    room.respond('p1', 'rate', 1)
    expect(room.at()).toBe('ask')
    expect(room.snapshot('p1')).toMatchObject({ self: { responses: {} }, state: { visit: 2 } })
    room.respond('p1', 'rate', 2)
    expect(room.outcomes()).toEqual(['SUCCESS'])
  })

  it('[RM15] a block is played for its rounds, and each state says which one it is', () => {
    const states = [quick('before'), quick('a'), quick('b'), quick('after')]
    const room = playRoom({ states, blocks: [{ id: 'game', states: ['a', 'b'], rounds: 2 }] })
    room.pass(20)
    expect(room.path()).toEqual(['before', 'a', 'b', 'a', 'b', 'after'])
    const rounds = room
      .heard('p1')
      .flatMap((event) => (event.type === 'state_entered' ? [event.state.round] : []))
    expect(rounds).toEqual([null, 1, 1, 2, 2, null])
  })

  it('[RM15] random order is drawn from the room’s seed, anew in each round', () => {
    const ids = ['a', 'b', 'c', 'd']
    const definition = {
      name: 'Test',
      states: ids.map((id) => quick(id)),
      blocks: [{ id: 'all', states: ids, order: 'random' as const, rounds: 3 }],
    }
    const pathOf = (seed: string) => {
      const room = playRoom(definition, { seed })
      room.pass(50)
      return room.path()
    }
    expect(pathOf('one')).toEqual(planSteps(definition, 'one 0', 0).map(({ stateId }) => stateId))
    expect(pathOf('one')).toEqual(pathOf('one'))
    const orders = new Set(['one', 'two', 'three', 'four'].map((seed) => pathOf(seed).join()))
    expect(orders.size).toBeGreaterThan(1)
    for (let round = 0; round < 3; round++)
      expect(
        pathOf('one')
          .slice(4 * round, 4 * round + 4)
          .sort(),
      ).toEqual(ids)
  })

  it('[RM15] Latin-square order takes the row of the room’s ordinal', () => {
    const ids = ['a', 'b', 'c', 'd']
    const orders = [0, 1, 2, 3].map((ordinal) => {
      const room = playRoom(
        { states: ids.map((id) => quick(id)), blocks: [{ id: 'all', states: ids, order: 'latin_square' }] },
        { ordinal },
      )
      room.pass(20)
      return room.path().join('')
    })
    expect(orders).toEqual(['abdc', 'bcad', 'cdba', 'dacb'])
  })

  it('[RM19] room pacing: everyone is in one state, and the last one decides', () => {
    const room = playRoom(group([state('a'), state('b')]))
    room.ready('p1')
    expect([room.at('p1'), room.at('p2')]).toEqual(['a', 'a'])
    room.ready('p2')
    expect([room.at('p1'), room.at('p2')]).toEqual(['b', 'b'])
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'finished' })
  })

  it('[RM20] participant pacing: everyone moves alone, with an order and a deadline of their own', () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const room = playRoom(
      group(
        ids.map((id) => quick(id)),
        {
          pacing: 'participant',
          blocks: [{ id: 'all', states: ids, order: 'random' }],
        },
      ),
    )
    room.pass(10)
    expect([...room.path('p1')].sort()).toEqual(ids)
    expect(room.path('p1')).not.toEqual(room.path('p2'))
  })

  it('[RM20] participant pacing: the room ends with its last participant', () => {
    const room = playRoom(group([state('a'), state('b')], { pacing: 'participant' }))
    room.ready('p1')
    expect([room.at('p1'), room.at('p2')]).toEqual(['b', 'a'])
    room.ready('p1')
    expect(room.statuses()).toEqual(['finished', 'active'])
    expect(room.room().status.kind).toBe('running')
    expect(room.ready('p1')).toBe('ROOM_ENDED')
    room.ready('p2')
    room.ready('p2')
    expect(room.room().status).toEqual({ kind: 'ended', reason: 'everyone_done' })
  })

  it('[RM26] the condition is assigned by the ordinal, the same for everyone, and decides branches', () => {
    const states = [
      quick('start', { next: [{ to: 'y', when: "condition == 'y'" }, { to: 'x' }] }),
      quick('x', { next: [{ to: 'end' }] }),
      quick('y'),
    ]
    const conditions = { values: ['x', 'y'], assign: 'balanced' as const, seed: 'fixed' }
    const assigned = [0, 1, 2, 3].map((ordinal) => {
      const room = playRoom(group(states, { conditions }), { ordinal })
      room.pass(5)
      const { condition } = room.room()
      expect(room.path()).toEqual(['start', condition])
      return condition
    })
    expect(assigned.slice(0, 2).sort()).toEqual(['x', 'y'])
    expect(assigned.slice(2).sort()).toEqual(['x', 'y'])
  })
})
