import type { State } from '@atrium/contract'
import { targetsOf } from '@atrium/contract/components'
import { describe, expect, it } from 'vitest'
import { persona } from '../test/agent-room.ts'
import { component, group, playRoom, slider, state } from '../test/played-room.ts'

const own = { given: { scope: 'participant' as const, initial: 0 } }
const give = component('give', 'slider', { saveTo: 'given' })
const chat = component('talk', 'chat', { audience: 'neighbours' })
const ring = (size: number, components: State['components'], more: object = {}) =>
  playRoom(
    group(
      [
        state('play', { components }),
        state('after', {
          components: [component('seen', 'text', { text: 'They gave {{neighbours.given}}.' })],
        }),
      ],
      {
        matching: { groupSize: size },
        network: { kind: 'ring' },
        variables: own,
        ...more,
      },
    ),
  )
const everyone = (size: number) => Array.from({ length: size }, (_, index) => `p${index + 1}`)
const aliases = (others: readonly { alias: string }[]) => others.map(({ alias }) => alias)

describe('A room with a network', () => {
  it('[RM249] shows everyone their neighbours, and nobody else', () => {
    const room = ring(5, [slider])
    expect(aliases(room.snapshot('p1').others)).toEqual(['P2', 'P5'])
    expect(aliases(room.snapshot('p3').others)).toEqual(['P2', 'P4'])
  })

  it('[RM249] tells only neighbours that somebody has answered, is ready, away, back or gone', () => {
    const room = ring(5, [slider])
    room.respond('p1', 'rate', 5)
    room.ready('p1')
    room.disconnect('p1')
    room.connect('p1')
    room.leave('p1')
    for (const near of ['p2', 'p5']) {
      const about = room.heard(near).filter((event) => 'alias' in event && event.alias === 'P1')
      expect(about.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['response_recorded', 'ready', 'presence', 'seat']),
      )
    }
    for (const far of ['p3', 'p4']) expect(JSON.stringify(room.heard(far))).not.toContain('"P1"')
  })

  it('[RM248] hears what neighbours write in a chat for neighbours, live and later', () => {
    const room = ring(5, [chat, component('hall', 'chat')])
    room.say('p1', 'psst', { componentId: 'talk' })
    room.say('p1', 'hello all', { componentId: 'hall' })
    const texts = (who: string) => room.snapshot(who).messages.map(({ text }) => text)
    expect(everyone(5).map(texts)).toEqual([
      ['psst', 'hello all'],
      ['psst', 'hello all'],
      ['hello all'],
      ['hello all'],
      ['psst', 'hello all'],
    ])
    expect(JSON.stringify(room.heard('p3'))).not.toContain('psst')
    expect(JSON.stringify(room.heard('p5'))).toContain('psst')
  })

  it('[RM247] reads the values of neighbours in texts and in expressions, in the order of seats', () => {
    const room = ring(5, [give], {
      variables: {
        ...own,
        around: { scope: 'participant', compute: 'sum(neighbours.given)' },
        names: { scope: 'participant', compute: 'neighbours.alias' },
      },
    })
    for (const [index, who] of everyone(5).entries()) room.respond(who, 'give', 10 * (index + 1))
    for (const who of everyone(5)) room.ready(who)
    expect(room.snapshot('p1').self.variables).toEqual({ given: 10, around: 70, names: ['P2', 'P5'] })
    expect(room.snapshot('p3').self.variables).toEqual({ given: 30, around: 60, names: ['P2', 'P4'] })
    expect(JSON.stringify(room.snapshot('p1').state)).toContain('They gave 20 and 50.')
  })

  it('[RM253] asks about neighbours alone where it is told to, and takes no answer about anybody else', () => {
    const rate = component('rating', 'slider', { forEach: 'neighbours', label: '{{each.alias}}' })
    const room = ring(5, [rate])
    const [shown] = room.snapshot('p1').state?.components ?? []
    expect(targetsOf({ ...shown })?.map(({ alias }) => alias)).toEqual(['P2', 'P5'])
    expect(room.respond('p1', 'rating', { P2: 1, P5: 2, P3: 3 })).toBe('VALIDATION_FAILED')
    expect(room.respond('p1', 'rating', { P2: 1, P5: 2 })).toBeTypeOf('number')
  })

  it('[RM250] gives an agent the neighbours of the person whose seat it takes', () => {
    const room = ring(5, [slider], {
      dropout: { policy: 'replace_with_agent', graceMs: 1_000 },
      agents: [persona({ replaces: true })],
      consent: { text: 'Texts are sent to a model.', sendsTextToModels: true },
    })
    room.leave('p1')
    expect(aliases(room.snapshot('p2').others)).toEqual(['P1', 'P3', 'P6'])
    expect(aliases(room.snapshot('p3').others)).toEqual(['P2', 'P4'])
    expect(room.heard('p2').map(({ type }) => type)).toContain('seated')
    expect(room.heard('p3').map(({ type }) => type)).not.toContain('seated')
    const last = room.recordsOf('p2', 'neighbours').at(-1)
    expect(last?.data.neighbours).toEqual([
      { seat: 1, alias: 'P6' },
      { seat: 3, alias: 'P3' },
    ])
  })

  it('[RM245] is the same again from the same seed, and laid by number where the edges are listed', () => {
    const drawnAt = (seed: string) =>
      playRoom(
        group([state('play')], {
          matching: { groupSize: 24 },
          network: { kind: 'small_world', rewire: 0.4 },
        }),
        { seed },
      ).room().network
    expect(drawnAt('a')).toEqual(drawnAt('a'))
    expect(drawnAt('a')).not.toEqual(drawnAt('b'))
    const line = playRoom(
      group([state('play')], {
        matching: { groupSize: 3 },
        network: {
          kind: 'edges',
          edges: [
            [1, 2],
            [2, 3],
          ],
        },
      }),
    )
    expect(everyone(3).map((who) => aliases(line.snapshot(who).others))).toEqual([
      ['P2'],
      ['P1', 'P3'],
      ['P2'],
    ])
  })

  it('[RM252] is in the record of everyone when the room begins', () => {
    const room = ring(4, [slider])
    expect(room.recordsOf('p1', 'neighbours').map(({ data }) => data)).toEqual([
      {
        seat: 1,
        neighbours: [
          { seat: 2, alias: 'P2' },
          { seat: 4, alias: 'P4' },
        ],
      },
    ])
  })

  it('[RM247] of a thousand people takes what everyone’s neighbours gave within the work of one action', () => {
    const room = playRoom(
      group(
        [
          state('play', {
            components: [give],
            end: { on: 'any_responded' },
            onEnd: { seen: 'append(neighbours.given, mean(neighbours.given))' },
          }),
          state('after'),
        ],
        {
          matching: { groupSize: 1_000 },
          network: { kind: 'scale_free', degree: 8 },
          variables: {
            ...own,
            seen: { scope: 'participant' },
            around: { scope: 'participant', compute: 'sum(neighbours.given) + max(neighbours.given)' },
          },
        },
      ),
      { isConnected: false },
    )
    room.connect('p1')
    room.respond('p1', 'give', 50)
    expect(room.room().status.kind).toBe('running')
    expect(room.at('p1')).toBe('after')
    const [near] = room.snapshot('p1').others
    expect(room.room().seats.find(({ alias }) => alias === near?.alias)?.variables.seen).toContain(50)
  })
})
