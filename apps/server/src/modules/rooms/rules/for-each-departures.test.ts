import { describe, expect, it } from 'vitest'
import { answering, inSeat, persona, playAgents } from '../test/agent-room.ts'
import { component, group, openedAt, type playRoom, state } from '../test/played-room.ts'
import { punish, variables } from '../test/punishment.ts'
import { reduceRoom } from './reduce-room.ts'

type Room = ReturnType<typeof playRoom>

describe('[RM196] an answer that was under way', () => {
  /** Three people, then a page on which they are asked about each other, twice. */
  const twice = (more: object = {}) => {
    const one = component('punish', 'slider', { ...punish, max: 20 })
    const room = playAgents(
      group([state('first', { components: [one] }), state('second', { components: [one] }), state('after')], {
        matching: { groupSize: 3 },
        variables,
        ...more,
      }),
    )
    const goOn = (...who: string[]) => {
      for (const one of who) room.ready(one)
    }
    return { ...room, goOn, refusalOf: (value: unknown) => refusalOf(room, 'p2', value) }
  }
  const replaced = {
    dropout: { policy: 'replace_with_agent', graceMs: 5_000 },
    agents: [persona({ replaces: true })],
  }
  const refusalOf = ({ room, blueprint }: Pick<Room, 'room' | 'blueprint'>, who: string, value: unknown) => {
    const act = { type: 'submit_response', participantId: who, actionId: 'new' } as const
    const action = { ...act, componentId: 'punish', value }
    const reduction = reduceRoom(room(), action, openedAt, blueprint)
    return reduction.kind === 'refused' ? reduction.refusal.message : reduction.kind
  }

  it('about somebody who leaves is taken on this page, and refused with a sentence on the next one', () => {
    const room = twice()
    room.leave('p3')
    expect(room.respond('p2', 'punish', { P1: 1, P3: 2 })).toBeTypeOf('number')
    expect(room.recordsOf('p2', 'component_response').at(-1)?.data).toMatchObject({
      value: { P1: 1, P3: 2 },
      targets: ['P1', 'P3'],
    })
    room.respond('p1', 'punish', { P2: 3 })
    room.goOn('p1', 'p2')
    expect(room.at()).toBe('second')
    const before = room.room()
    expect(room.refusalOf({ P1: 1, P3: 2 })).toBe(
      '‘P3’ is not in the room any more, and nobody is asked about them here; answer about ‘P1’ alone.',
    )
    expect(room.respond('p2', 'punish', { P1: 1, P3: 2 })).toBe('VALIDATION_FAILED')
    expect(room.room()).toBe(before)
    expect(room.respond('p2', 'punish', { P1: 1 })).toBeTypeOf('number')
  })

  it('about somebody whose leaving ended the page before is refused, at the very same moment', () => {
    const room = twice()
    for (const [who, value] of [
      ['p1', { P2: 1, P3: 1 }],
      ['p2', { P1: 1, P3: 1 }],
    ] as const) {
      room.respond(who, 'punish', value)
      room.goOn(who)
    }
    expect(room.at()).toBe('first')
    room.leave('p3')
    expect(room.at()).toBe('second')
    expect(room.respond('p2', 'punish', { P1: 1, P3: 2 })).toBe('VALIDATION_FAILED')
  })

  it('about a person whose seat an agent takes is kept as theirs, in the place of one about the agent, for which it counts', () => {
    const room = twice(replaced)
    room.leave('p3')
    expect(room.respond('p2', 'punish', { P1: 5, P3: 7 })).toBeTypeOf('number')
    expect(room.recordsOf('p2', 'component_response').at(-1)?.data).toMatchObject({
      value: { P1: 5, P3: 7 },
      targets: ['P1', 'P3'],
    })
    expect(room.respond('p1', 'punish', { P2: 1, P4: 2 })).toBeTypeOf('number')
    room.take(inSeat(4), [answering('punish', { P1: 3, P2: 4 })])
    room.goOn('p1', 'p2')
    expect(room.recordsOf('p2', 'answers_missing')).toEqual([])
  })

  it('cannot be about both of them, nor about the person on the next page', () => {
    const room = twice({
      ...replaced,
      variables: { ...variables, sum: { scope: 'participant', compute: 'sum(received.punish)' } },
    })
    room.leave('p3')
    expect(room.refusalOf({ P1: 1, P3: 1, P4: 1 })).toBe(
      '‘P3’ is not in the room any more, and nobody is asked about them here; answer about ‘P1’, ‘P4’ alone.',
    )
    room.respond('p2', 'punish', { P1: 5, P3: 7 })
    room.respond('p1', 'punish', { P2: 1, P4: 2 })
    expect(room.snapshot(inSeat(4)).self.variables).toMatchObject({ sum: 9 })
    room.take(inSeat(4), [answering('punish', { P1: 3, P2: 4 }), { type: 'ready' }])
    room.goOn('p1', 'p2')
    expect(room.at()).toBe('second')
    expect(room.respond('p2', 'punish', { P1: 5, P3: 7 })).toBe('VALIDATION_FAILED')
    expect(room.respond('p2', 'punish', { P1: 5, P4: 7 })).toBeTypeOf('number')
  })

  it('at their own pace, people are asked about those who were there when they came to the page', () => {
    const room = twice({ pacing: 'participant' })
    room.respond('p1', 'punish', { P2: 1, P3: 1 })
    room.pass(1_000)
    room.leave('p3')
    room.pass(1_000)
    room.goOn('p1')
    expect([room.at('p1'), room.at('p2')]).toEqual(['second', 'first'])
    expect(room.respond('p1', 'punish', { P2: 1, P3: 1 })).toBe('VALIDATION_FAILED')
    expect(room.respond('p2', 'punish', { P1: 1, P3: 1 })).toBeTypeOf('number')
  })
})
