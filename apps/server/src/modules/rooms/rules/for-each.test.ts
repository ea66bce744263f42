import { respondToolFor } from '@atrium/agent-protocol'
import { describe, expect, it, vi } from 'vitest'
import { answering, inSeat, persona, playAgents } from '../test/agent-room.ts'
import { component, group, playRoom, state } from '../test/played-room.ts'
import { punish, variables } from '../test/punishment.ts'

/** Three people who gave 10, 20 and 30 are asked about each other. */
function asked(settings: object = {}, more: object = {}, question = punish) {
  const give = component('give', 'slider', { saveTo: 'given' })
  const onEnd = { cost: 'sum(values(response.punish))', fine: 'sum(received.punish)' }
  const room = playRoom(
    group(
      [
        state('give', { components: [give] }),
        state('punish', { components: [{ ...question, ...settings }], onEnd }),
        state('after'),
      ],
      { matching: { groupSize: 3 }, variables, ...more },
    ),
  )
  for (const [at, who] of everyone.entries()) {
    room.respond(who, 'give', 10 * (at + 1))
    room.ready(who)
  }
  return room
}
const everyone = ['p1', 'p2', 'p3']
type Room = ReturnType<typeof asked>
const viewOf = (room: Room, who: string) => room.snapshot(who).state?.components[0]
const targetsOf = (room: Room, who: string) =>
  viewOf(room, who)?.targets?.map(({ alias, component: one }) => [alias, one.label, one.max])

describe('[RM196] a question that is asked for each other member of the room', () => {
  it('has the texts and settings of each of them, in seat order, and nothing else of them', () => {
    const room = asked()
    expect(targetsOf(room, 'p2')).toEqual([
      ['P1', 'Points for P1, who gave 10', 10],
      ['P3', 'Points for P3, who gave 30', 30],
    ])
    expect(viewOf(room, 'p2')).toMatchObject({
      id: 'punish',
      type: 'slider',
      required: true,
      forEach: 'others',
    })
    expect(JSON.stringify([room.snapshot('p2').state, room.heard('p2')])).not.toMatch(/each\.|hidden/)
  })

  it('takes one answer by alias, tells expressions what was given and received, and keeps it in seat order', () => {
    const room = asked({ saveTo: 'tally' })
    expect(room.respond('p2', 'punish', { P3: 5, P1: 2 })).toBeTypeOf('number')
    room.respond('p1', 'punish', { P2: 1, P3: 3 })
    room.respond('p3', 'punish', { P1: 10, P2: 4 })
    expect(JSON.stringify(room.seat('p2').variables.tally)).toBe('{"P1":2,"P3":5}')
    for (const who of everyone) room.ready(who)
    expect(room.at()).toBe('after')
    expect(everyone.map((who) => room.seat(who).variables.cost)).toEqual([4, 7, 14])
    expect(everyone.map((who) => room.seat(who).variables.fine)).toEqual([12, 5, 8])
  })

  it.each<[what: string, value: unknown, code: string]>([
    ['somebody who is not in the room', { P1: 1, P3: 1, P9: 1 }, 'VALIDATION_FAILED'],
    ['oneself', { P1: 1, P2: 1, P3: 1 }, 'VALIDATION_FAILED'],
    ['not everybody', { P1: 1 }, 'VALIDATION_FAILED'],
    ['more than is allowed for one of them', { P1: 11, P3: 1 }, 'VALIDATION_FAILED'],
    ['nobody', {}, 'VALIDATION_FAILED'],
    ['no one in particular', 3, 'VALIDATION_FAILED'],
    ['a list', [1, 2], 'VALIDATION_FAILED'],
  ])('refuses an answer about %s, and changes nothing', (_what, value, code) => {
    const room = asked()
    const before = room.room()
    expect(room.respond('p2', 'punish', value)).toBe(code)
    expect(room.room()).toBe(before)
    expect(room.ready('p2')).toBe('ACTION_REFUSED')
  })

  it('refuses what the type cannot accept of one of them', () => {
    const items = ['honest', 'kind']
    const room = asked({ type: 'constant_sum', items, max: undefined, total: 10 })
    expect(room.respond('p2', 'punish', { P1: { honest: 5, kind: 5 }, P3: { honest: 5, kind: 6 } })).toBe(
      'VALIDATION_FAILED',
    )
    const good = { P1: { honest: 5, kind: 5 }, P3: { honest: 0, kind: 10 } }
    expect(room.respond('p2', 'punish', good)).toBeTypeOf('number')
  })

  it('takes answers about some where it is not required, and records about whom nothing was answered', () => {
    const room = asked({ required: false })
    room.respond('p2', 'punish', { P3: 5 })
    expect(room.recordsOf('p2', 'component_response').at(-1)?.data).toMatchObject({
      value: { P3: 5 },
      targets: ['P1', 'P3'],
    })
    for (const who of everyone) room.ready(who)
    expect(room.recordsOf('p1', 'answers_missing').at(-1)?.data).toEqual({
      components: [{ componentId: 'punish', reason: 'skipped', targets: ['P2', 'P3'] }],
    })
    expect(everyone.map((who) => room.seat(who).variables.fine)).toEqual([0, 0, 5])
  })

  it('is not asked about somebody who has left, but takes what was answered about them meanwhile', () => {
    const room = asked()
    room.leave('p3')
    expect(targetsOf(room, 'p2')?.map(([alias]) => alias)).toEqual(['P1'])
    expect(room.heard('p2').some(({ type }) => type === 'texts')).toBe(true)
    expect(room.respond('p2', 'punish', { P1: 1, P3: 30 })).toBeTypeOf('number')
    expect(room.respond('p1', 'punish', { P2: 1 })).toBeTypeOf('number')
    for (const who of ['p1', 'p2']) room.ready(who)
    expect(room.at()).toBe('after')
    expect(room.recordsOf('p1', 'component_response').at(-1)?.data).toMatchObject({ targets: ['P2'] })
  })

  it('is not shown, and missing for that reason, where nobody else is left', () => {
    const room = asked()
    room.leave('p3')
    room.leave('p1')
    expect(viewOf(room, 'p2')).toBeUndefined()
    expect(room.respond('p2', 'punish', { P1: 1 })).toBe('NOT_SHOWN')
    room.ready('p2')
    expect(room.at('p2')).toBe('after')
    expect(room.recordsOf('p2', 'answers_missing').at(-1)?.data).toEqual({
      components: [{ componentId: 'punish', reason: 'not_shown' }],
    })
  })

  it('asks only about those whom its condition names', () => {
    const room = asked({ when: 'each.given > self.given' })
    expect(targetsOf(room, 'p1')?.map(([alias]) => alias)).toEqual(['P2', 'P3'])
    expect(targetsOf(room, 'p2')?.map(([alias]) => alias)).toEqual(['P3'])
    expect(viewOf(room, 'p3')).toBeUndefined()
    expect(room.respond('p2', 'punish', { P1: 1, P3: 1 })).toBe('VALIDATION_FAILED')
    expect(room.respond('p2', 'punish', { P3: 1 })).toBeTypeOf('number')
  })

  it.each([
    ['who is asked about', 'each.given > 15', ['P2', 'P3'], ['P3']],
    ['both people', 'each.given > self.given', ['P2', 'P3'], ['P3']],
    ['who answers', 'self.given > 15', undefined, ['P1', 'P3']],
  ])(
    'asks only about those for whom options are left, by conditions that read %s',
    (_what, when, first, second) => {
      const options = ['yes', 'no'].map((value) => ({ value, when }))
      const fair = component('punish', 'multiple_choice', { forEach: 'others', options })
      const room = asked({}, {}, fair)
      const seen = (who: string) => viewOf(room, who)?.targets?.map(({ alias }) => alias)
      expect([seen('p1'), seen('p2')]).toEqual([first, second])
      const about = (aliases: readonly string[]) => Object.fromEntries(aliases.map((alias) => [alias, 'yes']))
      expect(room.respond('p2', 'punish', about(['P2', ...second]))).toBe('VALIDATION_FAILED')
      expect(room.respond('p2', 'punish', about(second))).toBeTypeOf('number')
    },
  )

  it('follows what the others do meanwhile', () => {
    const bid = component('bid', 'slider', { saveTo: 'given', required: false })
    const room = playRoom(
      group([state('both', { components: [bid, punish] })], { matching: { groupSize: 2 }, variables }),
    )
    const seen = () => room.snapshot('p1').state?.components[1]?.targets?.[0]?.component.max
    expect(seen()).toBe(0)
    room.respond('p2', 'bid', 40)
    expect(seen()).toBe(40)
    const [last] = room.heard('p1').filter(({ type }) => type === 'texts')
    expect(JSON.stringify(last)).toContain('Points for P2, who gave 40')
  })

  it('says to each what is theirs, also where most of it reads the same for everybody', () => {
    const own = component('own', 'slider', { ...punish, label: '{{self.given}} to {{each.alias}}', max: 30 })
    const room = playRoom(
      group([state('a', { components: [punish, own], onEnter: { given: 'visit + length(role)' } })], {
        matching: { groupSize: 3 },
        variables,
      }),
      { roles: ['ab', 'abc', 'abcd'] },
    )
    const labels = (who: string) =>
      room.snapshot(who).state?.components.map((one) => one.targets?.map((two) => two.component.label))
    expect(labels('p1')).toEqual([
      ['Points for P2, who gave 4', 'Points for P3, who gave 5'],
      ['3 to P2', '3 to P3'],
    ])
    expect(labels('p3')).toEqual([
      ['Points for P1, who gave 3', 'Points for P2, who gave 4'],
      ['5 to P1', '5 to P2'],
    ])
    const entered = room.heard('p3').findLast(({ type }) => type === 'state_entered')
    expect(JSON.stringify(entered)).toContain('5 to P2')
    expect(JSON.stringify(entered)).not.toContain('P3')
  })

  it('is missing for each of them when the time is up', () => {
    const room = playRoom(
      group(
        [state('punish', { components: [punish], end: { on: 'timed', afterMs: 5_000 } }), state('after')],
        {
          matching: { groupSize: 3 },
          variables,
        },
      ),
    )
    room.pass(5_000)
    expect(room.recordsOf('p2', 'answers_missing').at(-1)?.data).toEqual({
      components: [{ componentId: 'punish', reason: 'timed_out', targets: ['P1', 'P3'] }],
    })
  })

  it('is offered to an agent as an object by alias, with the settings for each, and taken from it', () => {
    const room = playAgents(
      group(
        [
          state('punish', { components: [component('punish', 'slider', { ...punish, max: 20 })] }),
          state('after'),
        ],
        {
          variables,
          agents: [persona({ seats: 1 })],
        },
      ),
    )
    const tool = JSON.stringify(respondToolFor(room.moves(inSeat(3))))
    const answer = { type: 'object', required: ['P1', 'P2'], additionalProperties: false }
    const [move] = room.moves(inSeat(3)).answers
    expect(move?.schema).toMatchObject({ ...answer, properties: { P1: { maximum: 20 }, P2: { minimum: 0 } } })
    expect(tool).toContain('once for each of the others, by alias')
    expect(room.act(inSeat(3), [answering('punish', { P1: 3 })])).toBe('VALIDATION_FAILED')
    expect(room.take(inSeat(3), [answering('punish', { P2: 3, P1: 4 })])).toBeTypeOf('number')
    expect(room.seat(inSeat(3)).responses).toEqual({ punish: { P1: 4, P2: 3 } })
  })

  it('is settled for an agent when it answers, and not whenever anybody does anything', () => {
    const room = playAgents(
      group([state('punish', { components: [{ ...punish }, component('talk', 'chat')] }), state('after')], {
        variables,
        agents: [persona({ seats: 1 })],
      }),
    )
    const [asking] = room.blueprint.states.get('punish')?.components ?? []
    if (!asking) throw new Error('nothing is asked')
    const settled = vi.spyOn(asking, 'settledAs')
    expect(room.say('p1', 'hello')).toBeTypeOf('number')
    expect(settled).not.toHaveBeenCalled()
    expect(room.moves(inSeat(3)).answers[0]?.schema).toMatchObject({ required: ['P1', 'P2'] })
    expect(settled).toHaveBeenCalledOnce()
  })

  it('counts for the agent that takes over what was answered about the person, and what they answered', () => {
    const room = playAgents(
      group(
        [
          state('punish', { components: [component('punish', 'slider', { ...punish, max: 20 })] }),
          state('after'),
        ],
        {
          matching: { groupSize: 3 },
          variables: { ...variables, sum: { scope: 'participant', compute: 'sum(received.punish)' } },
          dropout: { policy: 'replace_with_agent', graceMs: 5_000 },
          agents: [persona({ replaces: true })],
        },
      ),
    )
    room.respond('p1', 'punish', { P2: 5, P3: 6 })
    room.respond('p3', 'punish', { P1: 1, P2: 2 })
    room.leave('p3')
    expect(room.snapshot('p2').state?.components[0]?.targets?.map(({ alias }) => alias)).toEqual(['P1', 'P4'])
    expect(room.snapshot(inSeat(4)).self.variables).toMatchObject({ sum: 6 })
    expect(room.snapshot('p2').self.variables).toMatchObject({ sum: 7 })
    expect(room.recordsOf(inSeat(4), 'component_response')[0]?.data).toMatchObject({
      value: { P1: 1, P2: 2 },
      targets: ['P1', 'P2'],
      answerSource: 'inherited',
    })
    expect(room.respond('p2', 'punish', { P1: 1, P4: 1 })).toBeTypeOf('number')
  })
})
