import { describe, expect, it } from 'vitest'
import { group, playRoom, slider, state } from '../test/played-room.ts'

const timed = { on: 'timed' as const, afterMs: 10 }
const ask = {
  components: [{ ...slider, saveTo: 'given' }],
  end: { on: 'all_responded' as const, afterMs: 100 },
}

describe('Variables', () => {
  it('[RM21] a response is saved to a participant’s own variable, which only they are told about', () => {
    const room = playRoom(
      group([state('ask', ask), state('after')], {
        variables: { given: { scope: 'participant', initial: 0 } },
      }),
    )
    room.respond('p1', 'rate', 7)
    expect([room.snapshot('p1').self.variables, room.snapshot('p2').self.variables]).toEqual([
      { given: 7 },
      { given: 0 },
    ])
    expect(room.heard('p1')).toContainEqual(
      expect.objectContaining({ type: 'variables', room: {}, self: { given: 7 } }),
    )
    expect(room.typesHeard('p2')).not.toContain('variables')
  })

  it('[RM21] … or to a room variable, which the newest response decides and everyone is told about', () => {
    const room = playRoom(group([state('ask', ask), state('after')], { variables: { given: 0 } }))
    room.respond('p1', 'rate', 7)
    room.respond('p2', 'rate', 8)
    expect(room.snapshot('p1').variables).toEqual({ given: 8 })
    expect(room.heard('p1').filter(({ type }) => type === 'variables')).toHaveLength(2)
  })

  it('[RM22] onEnter and onEnd are evaluated in order, once for the room and for each participant', () => {
    const states = [
      state('play', {
        ...ask,
        onEnter: { given: '0', started: 'started + 1' },
        onEnd: { pot: 'sum(responses.rate)', points: 'points + 20 - given + pot / 2' },
      }),
      state('after'),
    ]
    const room = playRoom(
      group(states, {
        variables: {
          started: 0,
          pot: 0,
          given: { scope: 'participant', initial: 99 },
          points: { scope: 'participant', initial: 100 },
        },
      }),
    )
    room.respond('p1', 'rate', 10)
    room.respond('p2', 'rate', 20)
    expect(room.room().variables).toEqual({ started: 1, pot: 30 })
    expect(room.room().seats.map(({ variables }) => variables.points)).toEqual([125, 115])
  })

  it('[RM22] a participant who has answered nothing has what onEnter gave them', () => {
    const states = [
      state('play', { ...ask, onEnter: { given: '3' }, onEnd: { kept: '20 - given' } }),
      state('after'),
    ]
    const own = { scope: 'participant' as const, initial: 0 }
    const room = playRoom(group(states, { variables: { given: own, kept: own } }))
    room.respond('p1', 'rate', 5)
    room.pass(100)
    expect(room.room().seats.map(({ variables }) => variables.kept)).toEqual([15, 17])
  })

  it('[RM23] a computed variable always equals its expression', () => {
    const room = playRoom(
      group([state('ask', ask), state('after')], {
        variables: { given: 1, twice: { compute: 'given * 2' }, more: { compute: 'twice + 1' } },
      }),
    )
    expect(room.snapshot('p1').variables).toEqual({ given: 1, twice: 2, more: 3 })
    room.respond('p1', 'rate', 10)
    expect(room.snapshot('p2').variables).toEqual({ given: 10, twice: 20, more: 21 })
  })

  it('[RM23] everyone whose computed variables have changed is told what they are now', () => {
    const room = playRoom(
      group([state('ask', ask), state('after')], {
        variables: {
          given: { scope: 'participant', initial: 0 },
          left: { scope: 'participant', compute: '20 - given' },
        },
      }),
    )
    room.respond('p1', 'rate', 5)
    expect(room.heard('p1')).toContainEqual(
      expect.objectContaining({ type: 'variables', room: {}, self: { left: 15 } }),
    )
    expect(room.typesHeard('p2')).not.toContain('variables')
  })

  it('[RM24] a secret variable works and is never sent to participants', () => {
    const states = [
      state('ask', { ...ask, onEnter: { treasure: '4711' }, next: [{ to: 'end', when: 'hidden > 0' }] }),
      state('after'),
    ]
    const room = playRoom(
      group(states, {
        variables: {
          given: { secret: true, initial: 815 },
          treasure: { scope: 'participant', secret: true },
          hidden: { compute: 'given - 800', secret: true },
        },
      }),
    )
    room.respond('p1', 'rate', 1)
    const received = JSON.stringify([room.emitted, room.snapshot('p1'), room.snapshot('p2')])
    for (const secret of ['4711', '815', 'treasure', 'hidden', 'given'])
      expect(received).not.toContain(secret)
    expect(room.report().map(({ variables }) => variables)).toEqual([{ treasure: 4711 }, { treasure: 4711 }])
  })

  it('[RM25] in the state that asks, only the answers of this visit count', () => {
    const states = [
      state('play', { ...ask, onEnd: { pot: 'sum(responses.rate)' } }),
      state('rest', { end: timed }),
    ]
    const room = playRoom(
      group(states, {
        variables: { given: 0, pot: 0 },
        blocks: [{ id: 'game', states: ['play', 'rest'], rounds: 2 }],
      }),
    )
    room.respond('p1', 'rate', 10)
    room.respond('p2', 'rate', 10)
    expect(room.room().variables.pot).toBe(20)
    room.pass(10)
    room.respond('p1', 'rate', 1)
    room.pass(100)
    expect(room.room().variables.pot).toBe(1)
  })

  it('[RM25] … even when the participant has left since', () => {
    const states = [state('play', { ...ask, onEnd: { pot: 'sum(responses.rate)' } })]
    const room = playRoom(
      group(states, {
        matching: { groupSize: 3 },
        variables: { given: 0, pot: 0 },
        blocks: [{ id: 'game', states: ['play'], rounds: 3 }],
      }),
    )
    room.respond('p3', 'rate', 50)
    room.leave('p3')
    const pots = [1, 2].map(() => {
      for (const who of ['p1', 'p2']) room.respond(who, 'rate', 1)
      return room.room().variables.pot
    })
    expect(pots).toEqual([52, 2])
  })

  it('[RM25] in later states, everyone’s newest answer counts', () => {
    const states = [state('ask', ask), state('sum', { onEnter: { pot: 'sum(responses.rate)' } })]
    const room = playRoom(group(states, { variables: { given: 0, pot: 0 } }))
    room.respond('p1', 'rate', 10)
    room.respond('p2', 'rate', 5)
    expect(room.room().variables.pot).toBe(15)
  })
})
