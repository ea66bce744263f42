import type { Component, ExperimentDefinition } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import { describe, expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'
import { orderComputations } from './computations.ts'
import { declaredNamesOf } from './definition-names.ts'

const takesResponse = ({ type }: Component) => type === 'slider'
const check = (definition: ExperimentDefinition) => checkFlow(definition, takesResponse)
const errorsOf = (definition: ExperimentDefinition) =>
  check(definition).errors.map(({ path, message }) => `${path}: ${message}`)
const errorPaths = (definition: ExperimentDefinition) => check(definition).errors.map(({ path }) => path)
const warningPaths = (definition: ExperimentDefinition) => check(definition).warnings.map(({ path }) => path)

const group = { matching: { groupSize: 4 } }
const slider: Component = { id: 'mood', type: 'slider' }

describe('paths', () => {
  it('[F17] a state that an unconditional transition skips is unreachable', () => {
    const states = [state('a', { next: [{ to: 'c' }] }), state('b'), state('c')]
    expect(errorsOf(experiment(states))).toEqual([
      expect.stringMatching(/^\/states\/1: state ‘b’ is unreachable/),
    ])
  })

  it('[F17] a condition, atMost or a transition from elsewhere makes it reachable', () => {
    const reachable = (next: { to: string; when?: string; atMost?: number }[], last = {}) =>
      errorPaths(experiment([state('a', { next }), state('b'), state('c', last)]))
    expect(reachable([{ to: 'c', when: 'visit > 1' }])).toEqual([])
    expect(reachable([{ to: 'c', atMost: 1 }])).toEqual([])
    expect(reachable([{ to: 'c' }], { next: [{ to: 'b', atMost: 1 }] })).toEqual([])
  })

  it('[F17] a state reached only from an unreachable state is unreachable too', () => {
    const states = [state('a', { next: [{ to: 'end' }] }), state('b'), state('c')]
    expect(errorPaths(experiment(states))).toEqual(['/states/1', '/states/2'])
  })

  it('[F17] leaving a block early makes the rest unreachable in fixed order, but not in a drawn order', () => {
    const states = [state('a', { next: [{ to: 'c' }] }), state('b'), state('c')]
    const block = { id: 'block', states: ['a', 'b'], rounds: 2 }
    expect(errorPaths(experiment(states, { blocks: [block] }))).toEqual(['/states/1'])
    expect(errorPaths(experiment(states, { blocks: [{ ...block, order: 'random' }] }))).toEqual([])
  })

  it('[F18] a transition back, or to the same state, needs atMost', () => {
    const states = (atMost: { atMost?: number }) => [
      state('a', { next: [{ to: 'a', when: 'visit < 3', ...atMost }] }),
      state('b', { next: [{ to: 'a', when: 'visit < 9', ...atMost }] }),
    ]
    expect(errorsOf(experiment(states({})))).toEqual([
      expect.stringMatching(/^\/states\/0\/next\/0: .*itself.*set atMost/),
      expect.stringMatching(/^\/states\/1\/next\/0: .*set atMost/),
    ])
    expect(errorPaths(experiment(states({ atMost: 2 })))).toEqual([])
  })

  it('[F18] inside a block, its order decides which transitions lead back', () => {
    const states = [state('a', { next: [{ to: 'b', when: 'visit > 1' }] }), state('b')]
    const block = { id: 'block', states: ['a', 'b'], rounds: 3 }
    const inOrder = (order: 'fixed' | 'random', members = block.states) =>
      errorPaths(experiment(states, { blocks: [{ ...block, order, states: members }] }))
    expect(inOrder('fixed')).toEqual([])
    expect(inOrder('fixed', ['b', 'a'])).toEqual(['/states/0/next/0'])
    expect(inOrder('random')).toEqual(['/states/0/next/0'])
  })

  it('[F20] a transition after an unconditional one is never taken', () => {
    const next = [{ to: 'b', atMost: 1 }, { to: 'b' }, { to: 'end', when: 'visit > 1' }]
    const definition = experiment([state('a', { next }), state('b')])
    expect(check(definition)).toEqual({
      errors: [],
      warnings: [{ path: '/states/0/next/2', message: expect.stringContaining('never taken') }],
    })
  })
})

describe('endings', () => {
  it.each(['all_responded', 'any_responded'] as const)(
    '[F19] %s needs a component that takes a response',
    (on) => {
      const ending = (components: Component[], more = {}) =>
        errorPaths(
          experiment([state('a', { components, end: { on, ...more }, roles: ['buyer'] })], {
            roles: ['buyer', 'seller'],
          }),
        )
      expect(ending([slider])).toEqual([])
      expect(ending([{ ...slider, roles: ['buyer'] }])).toEqual([])
      expect(ending([{ id: 'text', type: 'text' }])).toEqual(['/states/0/end'])
      expect(ending([{ ...slider, roles: ['seller'] }])).toEqual(['/states/0/end'])
      expect(ending([])).toEqual(['/states/0/end'])
      expect(ending([], { afterMs: 1000 })).toEqual([])
    },
  )

  it('[F19] all_responded warns where nothing is required, any_responded waits for an answer', () => {
    const warned = (on: 'all_responded' | 'any_responded', components: Component[], more = {}) =>
      warningPaths(experiment([state('a', { components, end: { on, ...more } })]))
    const optional = { ...slider, required: false }
    expect(warned('all_responded', [slider])).toEqual([])
    expect(warned('all_responded', [optional, { ...slider, id: 'other' }])).toEqual([])
    expect(warned('all_responded', [optional])).toEqual(['/states/0/end'])
    expect(warned('all_responded', [], { afterMs: 1000 })).toEqual(['/states/0/end'])
    expect(warned('any_responded', [optional])).toEqual([])
  })

  it('[F19] a button needs somebody who sees it, a timed state does not', () => {
    expect(errorPaths(experiment([state('a', { roles: [] })]))).toEqual(['/states/0'])
    expect(errorPaths(experiment([state('a', { roles: [], end: { on: 'timed', afterMs: 5 } })]))).toEqual([])
  })

  it('[F19] media_ended must name a video or audio of the state itself', () => {
    const ending = (componentId: string) =>
      errorPaths(
        experiment(
          [
            state('a', {
              components: [slider, { id: 'clip', type: 'video' }, { id: 'hidden', type: 'audio', roles: [] }],
              end: { on: 'media_ended', componentId },
            }),
            state('b', { components: [{ id: 'other', type: 'video' }] }),
          ],
          { globalComponents: [{ id: 'film', type: 'video' }] },
        ),
      )
    expect(ending('clip')).toEqual([])
    for (const wrong of ['mood', 'other', 'hidden', 'film', 'nothing'])
      expect([wrong, ending(wrong)]).toEqual([wrong, ['/states/0/end/componentId']])
  })

  it('[F19] a condition without afterMs is a warning', () => {
    const ending = (more: { afterMs?: number }) =>
      check(experiment([state('a', { end: { on: 'condition', when: 'ready > 0', ...more } })]))
    expect(ending({})).toEqual({
      errors: [],
      warnings: [{ path: '/states/0/end', message: expect.anything() }],
    })
    expect(ending({ afterMs: 1000 })).toEqual({ errors: [], warnings: [] })
  })
})

describe('blocks', () => {
  it('[F21] a state may be in one block, once', () => {
    const blocks = [
      { id: 'one', states: ['a', 'a'] },
      { id: 'two', states: ['b', 'a'] },
    ]
    expect(errorsOf(experiment([state('a'), state('b')], { blocks }))).toEqual([
      '/blocks/0/states/1: state ‘a’ is already in this block',
      '/blocks/1/states/1: state ‘a’ is already in block ‘one’; to put that whole block into this one, write ‘one’ here',
    ])
  })

  it('[F21] all rounds together may have at most 100,000 steps', () => {
    const states = Array.from({ length: 11 }, (_, index) => state(`s${index}`))
    const ids = states.map(({ id }) => id)
    const withRounds = (members: string[]) =>
      errorPaths(experiment(states, { blocks: [{ id: 'b', states: members, rounds: 10_000 }] }))
    expect(withRounds(ids)).toEqual(['/blocks'])
    expect(withRounds(ids.slice(0, 9))).toEqual([])
  })
})

describe('variables', () => {
  it('[F22] only declared variables that are not computed can be written to', () => {
    const definition = experiment(
      [
        state('a', {
          components: [
            { ...slider, saveTo: 'points' },
            { id: 'two', type: 'slider', saveTo: 'pionts' },
            { id: 'three', type: 'slider', saveTo: 'double' },
          ],
          onEnter: { points: '0', 'a/b': '1' },
          onEnd: { double: '1' },
        }),
      ],
      { variables: { points: 0, double: { compute: 'points * 2' } } },
    )
    expect(errorsOf(definition)).toEqual([
      '/states/0/components/1/saveTo: variable ‘pionts’ does not exist; did you mean ‘points’?',
      '/states/0/components/2/saveTo: variable ‘double’ is computed and cannot be assigned',
      '/states/0/onEnter/a~1b: variable ‘a/b’ does not exist',
      '/states/0/onEnd/double: variable ‘double’ is computed and cannot be assigned',
    ])
  })

  it('[F22] declarations must have the documented form and not use a reserved word', () => {
    const variables = {
      role: 1,
      response: 1,
      short: { any: 'object' },
      wrong: { compute: 5 },
      odd: { initial: 1, surprise: 2 },
      both: { initial: 1, compute: '1' },
    }
    expect(errorPaths(experiment([state('a')], { variables }))).toEqual([
      '/variables/role',
      '/variables/response',
      '/variables/wrong/compute',
      '/variables/odd/surprise',
      '/variables/both/initial',
    ])
  })

  it('[F23] computed variables cannot form cycles', () => {
    const variables = {
      a: { compute: 'b + 1' },
      b: { compute: 'c + free' },
      c: { compute: 'a' },
      self: { compute: 'self' },
      reader: { compute: 'a + self' },
      free: { compute: '1' },
    }
    expect(errorsOf(experiment([state('s')], { variables }))).toEqual([
      '/variables/a/compute: circular computation: a → b → c → a',
      '/variables/self/compute: circular computation: self → self',
    ])
  })

  it('[F23] nor chains that are too long', () => {
    const chain = (length: number) =>
      Object.fromEntries(
        Array.from({ length }, (_, index) => [`v${index}`, { compute: index === 0 ? '1' : `v${index - 1}` }]),
      )
    expect(errorPaths(experiment([state('s')], { variables: chain(50) }))).toEqual([])
    expect(errorPaths(experiment([state('s')], { variables: chain(51) }))).toEqual(['/variables/v50/compute'])
    expect(errorPaths(experiment([state('s')], { variables: chain(2_000) }))).toEqual([
      '/variables/v50/compute',
    ])
  })

  it('[F23] they are ordered by what they read', () => {
    const variables = {
      payoff: { scope: 'participant', compute: 'share * 2' },
      share: { compute: 'pot / participants' },
      pot: 12,
    }
    const { order } = orderComputations(declaredNamesOf(experiment([state('s')], { variables })).variables)
    expect(order.map(({ name, scope }) => [name, scope])).toEqual([
      ['share', 'room'],
      ['payoff', 'participant'],
    ])
  })
})

describe('expressions', () => {
  it('[F24] every expression is checked and reported with its path', () => {
    const definition = experiment(
      [
        state('a', {
          end: { on: 'condition', when: 'nope1', afterMs: 1 },
          onEnter: { x: 'nope2' },
          onEnd: { x: '1 +' },
          next: [{ to: 'end', when: 'nope3' }],
        }),
        state('b'),
      ],
      { variables: { x: 0, y: { compute: 'response.nope4' } } },
    )
    expect(errorPaths(definition)).toEqual([
      '/states/0/end/when',
      '/states/0/onEnter/x',
      '/states/0/onEnd/x',
      '/states/0/next/0/when',
      '/variables/y/compute',
    ])
  })

  const own = (more: Partial<ExperimentDefinition>) =>
    errorPaths(
      experiment(
        [
          state('a', {
            components: [slider],
            end: { on: 'condition', when: 'response.mood > 1', afterMs: 1 },
            onEnd: { pot: 'response.mood', points: 'response.mood + points' },
            next: [{ to: 'end', when: 'points > 1' }],
          }),
        ],
        {
          variables: {
            pot: 0,
            points: { scope: 'participant', initial: 0 },
            total: { compute: 'points + 1' },
            mine: { scope: 'participant', compute: 'points + 1' },
          },
          ...more,
        },
      ),
    )

  it('[F10] in a group that moves together, room-wide expressions cannot refer to one participant', () => {
    expect(own(group)).toEqual([
      '/states/0/end/when',
      '/states/0/onEnd/pot',
      '/states/0/next/0/when',
      '/variables/total/compute',
    ])
  })

  it('[F10] with individual pacing expressions can, except in a computed room variable', () => {
    expect(own({ ...group, pacing: 'participant' })).toEqual(['/variables/total/compute'])
    expect(own({})).toEqual([])
  })
})

describe('conditions', () => {
  it('[F25] they must be distinct', () => {
    expect(errorPaths(experiment([state('a')], { conditions: { values: ['x', 'y', 'x'] } }))).toEqual([
      '/conditions/values/2',
    ])
  })

  it('[F25] comparing with an undeclared condition is a warning', () => {
    const comparing = (when: string, more = {}) =>
      warningPaths(experiment([state('a', { next: [{ to: 'end', when }] }), state('b')], more))
    const conditions = { conditions: { values: ['high', 'low'] } }
    expect(comparing("condition == 'high' || 'low' != condition", conditions)).toEqual([])
    expect(comparing("condition == 'hihg'", conditions)).toEqual(['/states/0/next/0/when'])
    expect(comparing("'x' != condition", conditions)).toEqual(['/states/0/next/0/when'])
    expect(comparing("condition == 'high'")).toEqual(['/states/0/next/0/when'])
  })
})
