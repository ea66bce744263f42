import type { Conditions, ExperimentDefinition } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import { describe, expect, it } from 'vitest'
import { checkFlow } from './check-flow.ts'

const factors = { frame: ['gain', 'loss'], source: ['human', 'machine'] }

const errorsOf = (definition: ExperimentDefinition) =>
  checkFlow(definition, () => false).errors.map(({ path, message }) => `${path}: ${message}`)
const errorsWith = (conditions: Conditions, more = {}) =>
  errorsOf(experiment([state('a')], { conditions, ...more }))

const group = { matching: { groupSize: 4 } }

describe('[F70] conditions', () => {
  it('have values or factors, and not both', () => {
    expect(errorsWith({ factors })).toEqual([])
    expect(errorsWith({})).toEqual([expect.stringMatching(/^\/conditions: write values, such as/)])
    expect(errorsWith({ factors, values: ['x'] })).toEqual([
      expect.stringMatching(/^\/conditions\/values: conditions have either values or factors/),
    ])
  })

  it('have at most 64 cells, of distinct levels', () => {
    const nine = Array.from({ length: 9 }, (_, index) => `l${index}`)
    expect(errorsWith({ factors: { a: nine, b: nine.slice(2) } })).toEqual([])
    expect(errorsWith({ factors: { a: nine, b: nine, c: ['x', 'y'] } })).toEqual([
      expect.stringContaining('9 × 9 × 2 = 162 cells; a study has at most 64'),
    ])
    expect(errorsWith({ factors: { a: ['x', 'y', 'x'] } })).toEqual([
      '/conditions/factors/a/2: duplicate level ‘x’',
    ])
  })

  it('are named in weights and quotas as they are called', () => {
    expect(errorsWith({ factors, weights: { 'gain×human': 2 }, quotas: { 'loss×machine': 10 } })).toEqual([])
    expect(errorsWith({ factors, weights: { 'human×gain': 2 } })).toEqual([
      '/conditions/weights/human×gain: cell ‘human×gain’ does not exist; did you mean ‘gain×human’?',
    ])
    expect(errorsWith({ factors, quotas: { 'gain x human': 2 } })).toEqual([
      expect.stringContaining('did you mean ‘gain×human’?'),
    ])
    expect(errorsWith({ values: ['high', 'low'], quotas: { hihg: 2 } })).toEqual([
      '/conditions/quotas/hihg: condition ‘hihg’ does not exist; did you mean ‘high’?',
    ])
    expect(errorsWith({ factors, quotas: { elsewhere: 2 } })).toEqual([
      expect.stringContaining('they are written as in ‘gain×human’'),
    ])
  })

  it('have a weight above 0, at least one of them', () => {
    expect(errorsWith({ values: ['x', 'y'], weights: { x: 0 } })).toEqual([])
    expect(errorsWith({ values: ['x', 'y'], weights: { x: 0, y: 0 } })).toEqual([
      expect.stringMatching(/^\/conditions\/weights: every condition has the weight 0/),
    ])
  })

  it('have quotas that a whole room fits into, unless people have conditions of their own', () => {
    expect(errorsWith({ values: ['x', 'y'], quotas: { x: 3, y: 0 } }, group)).toEqual([
      expect.stringMatching(/^\/conditions\/quotas\/x: a quota counts people, and a room has at least 4/),
    ])
    expect(errorsWith({ values: ['x', 'y'], quotas: { x: 3 }, per: 'participant' }, group)).toEqual([])
  })

  it('of a whole room do not depend on who is in it, and strata are no room variables', () => {
    expect(errorsWith({ values: ['x', 'y'], strata: ['gender'] })).toEqual([])
    expect(errorsWith({ values: ['x', 'y'], strata: ['gender'] }, group)).toEqual([
      expect.stringContaining('use per: "participant", or leave strata out'),
    ])
    const variables = { pot: 0 }
    expect(errorsWith({ values: ['x', 'y'], strata: ['pot'] }, { variables })).toEqual([
      expect.stringContaining('‘pot’ is a room variable'),
    ])
  })
})

describe('[F65] condition.<factor>', () => {
  const readingIn = (when: string, conditions: Conditions, more = {}) =>
    checkFlow(
      experiment([state('a', { next: [{ to: 'end', when }] }), state('b')], { conditions, ...more }),
      () => false,
    )

  it('exists for each factor', () => {
    expect(readingIn("condition.frame == 'gain'", { factors })).toEqual({ errors: [], warnings: [] })
    expect(readingIn("condition.frane == 'gain'", { factors }).errors).toMatchObject([
      { message: expect.stringContaining('did you mean ‘frame’?') },
    ])
    expect(readingIn("condition.frame == 'gain'", { values: ['x'] }).errors).toHaveLength(1)
  })

  it('that is compared with a level that there is not causes a warning', () => {
    expect(readingIn("condition.frame != 'gian'", { factors }).warnings).toMatchObject([
      { message: 'level ‘gian’ of ‘condition.frame’ does not exist, so this is never equal' },
    ])
    expect(readingIn("condition == 'gain×human'", { factors }).warnings).toEqual([])
  })

  it('[F67] belongs to one participant where people in a group have conditions of their own', () => {
    const own: Conditions = { factors, per: 'participant' }
    const errors = (when: string) => readingIn(when, own, group).errors.map(({ message }) => message)
    expect(errors("condition.frame == 'gain'")).toEqual([
      expect.stringContaining('is different for each participant'),
    ])
    expect(errors("condition == 'gain×human'")).toEqual([
      '‘condition’ belongs to one participant, but this is computed once for the whole room',
    ])
    expect(readingIn("condition.frame == 'gain'", own).errors).toEqual([])
  })
})
