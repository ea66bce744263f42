import type { State } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { playAgain } from '../test/play-again.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'

const everyone = (size: number) => Array.from({ length: size }, (_, index) => `p${index + 1}`)
const cut = component('drop', 'text_input', { required: false })
const join = component('pick', 'text_input', { required: false })

const changing = (rewire: NonNullable<State['rewire']>, size = 5, more: object = {}) =>
  playRoom(
    group([state('choose', { components: [cut, join], rewire }), state('after')], {
      matching: { groupSize: size },
      network: { kind: 'ring' },
      ...more,
    }),
  )
type Room = ReturnType<typeof changing>
const neighboursOf = (room: Room, who: string) => room.snapshot(who).others.map(({ alias }) => alias)
const goOn = (room: Room, size = 5) => {
  for (const who of everyone(size)) room.ready(who)
}

describe('A network that changes when a state ends', () => {
  it('[RM251] lets people part from somebody and be joined with somebody by their choice', () => {
    const room = changing({ cut: 'response.drop', join: 'response.pick' })
    room.respond('p1', 'drop', 'P2')
    room.respond('p1', 'pick', 'P3')
    goOn(room)
    expect(everyone(5).map((who) => neighboursOf(room, who))).toEqual([
      ['P3', 'P5'],
      ['P3'],
      ['P1', 'P2', 'P4'],
      ['P3', 'P5'],
      ['P1', 'P4'],
    ])
    const told = (who: string) =>
      room
        .heard(who)
        .flatMap((event) => (event.type === 'neighbours' ? [event.others.map(({ alias }) => alias)] : []))
    expect(told('p2')).toEqual([['P3']])
    expect(told('p5')).toEqual([])
    const types = room.typesHeard('p1')
    expect(types.indexOf('neighbours')).toBeLessThan(types.lastIndexOf('state_entered'))
    expect(room.recordsOf('p1', 'neighbours').at(-1)).toMatchObject({
      stateId: 'choose',
      visit: 1,
      data: {
        seat: 1,
        neighbours: [
          { seat: 3, alias: 'P3' },
          { seat: 5, alias: 'P5' },
        ],
      },
    })
    expect(room.recordsOf('p5', 'neighbours')).toHaveLength(1)
  })

  it('[RM251] joins only those who named each other where both must want it', () => {
    const room = changing({ join: 'response.pick', mutual: true })
    room.respond('p1', 'pick', 'P3')
    room.respond('p3', 'pick', 'P1')
    room.respond('p2', 'pick', 'P5')
    goOn(room)
    expect(neighboursOf(room, 'p1')).toEqual(['P2', 'P3', 'P5'])
    expect(neighboursOf(room, 'p2')).toEqual(['P1', 'P3'])
  })

  it('[RM251] takes lists, draws by rule, and gives the same when it is played again', () => {
    const room = changing({ cut: 'neighbours.alias', join: 'draw(others.alias)' }, 8)
    goOn(room, 8)
    const found = everyone(8).map((who) => neighboursOf(room, who))
    expect(found.every(({ length }) => length > 0)).toBe(true)
    expect(room.room().network?.flat().length).toBeLessThanOrEqual(16)
    expect(playAgain(room)?.network).toEqual(room.room().network)
  })

  it.each(['P1', 'P9', 'p2', '', '__proto__', 'P4'])(
    '[RM251] does nothing for a name like ‘%s’ that is one’s own, nobody’s, or of somebody who has gone',
    (name) => {
      const room = changing({ join: 'response.pick' })
      room.leave('p4')
      const before = room.room().network
      if (name !== '') room.respond('p1', 'pick', name)
      for (const who of ['p1', 'p2', 'p3', 'p5']) room.ready(who)
      expect(room.at('p1')).toBe('after')
      expect(room.room().network).toBe(before)
    },
  )

  it('[RM251] changes a room of a thousand within the work of one action, and never beyond 20,000 edges', () => {
    const room = playRoom(
      group(
        [
          state('choose', {
            components: [join],
            end: { on: 'any_responded' },
            onEnd: { all: 'append(all, neighbours.alias)' },
            rewire: { join: 'sample(all, 60)', cut: 'at(neighbours.alias, 0)' },
          }),
          state('after'),
        ],
        {
          matching: { groupSize: 1_000 },
          network: { kind: 'ring', degree: 8 },
          variables: { all: { scope: 'participant', initial: everyone(90).map((who) => who.toUpperCase()) } },
        },
      ),
      { isConnected: false },
    )
    room.connect('p1')
    room.respond('p1', 'pick', 'anything')
    const edges = (room.room().network ?? []).flat().length / 2
    expect(room.room().status.kind).toBe('running')
    expect(edges).toBeGreaterThan(4_000)
    expect(edges).toBeLessThanOrEqual(20_000)
  })
})
