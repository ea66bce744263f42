import type { ExperimentDefinition } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { blocksEntered, positionAfterBlock } from './blocks-around.ts'
import { designOf } from './design.ts'
import { blockUnitsIn } from './nesting.ts'
import { planSteps, type Step, stepsPlayed, unitsOf } from './plan.ts'
import { trialRowsOf } from './trials.ts'

type Block = NonNullable<ExperimentDefinition['blocks']>[number]

const study = (ids: string, blocks: Block[], more: Partial<ExperimentDefinition> = {}) =>
  experiment(
    [...ids].map((id) => state(id)),
    { blocks, ...more },
  )
const idsOf = (steps: readonly Step[]) => steps.map(({ stateId }) => stateId).join('')

describe('[F183] a block in a block', () => {
  const parts = study('abcdz', [
    { id: 'whole', states: ['first', 'second'], order: 'random' },
    { id: 'first', states: ['a', 'b'], rounds: 2 },
    { id: 'second', states: ['c', 'd'] },
  ])

  it('is played as one member of it, at the position of the first state', () => {
    const orders = new Set(Array.from({ length: 30 }, (_, seed) => idsOf(planSteps(parts, `${seed}`, 0))))
    expect(orders).toEqual(new Set(['ababcdz', 'cdababz']))
  })

  it('counts its own rounds, and the path knows those around', () => {
    const repeated = study('ab', [
      { id: 'outer', states: ['inner', 'b'], rounds: 2 },
      { id: 'inner', states: ['a'], rounds: 2 },
    ])
    const steps = planSteps(repeated, 'seed', 0)
    expect(idsOf(steps)).toBe('aabaab')
    expect(steps.map(({ blockId, round }) => `${blockId} ${round}`)).toEqual([
      'inner 1',
      'inner 2',
      'outer 1',
      'inner 1',
      'inner 2',
      'outer 2',
    ])
    expect(steps.map(({ within }) => within?.map(({ round }) => round))).toEqual([
      [1],
      [1],
      undefined,
      [2],
      [2],
      undefined,
    ])
    expect(steps[3]).toEqual({
      ...{ stateId: 'a', blockId: 'inner', round: 1, rounds: 2 },
      within: [{ blockId: 'outer', round: 2, rounds: 2 }],
    })
  })

  it('draws its order again in each round around it, and its sample once', () => {
    const drawing = study('abcdef', [
      { id: 'outer', states: ['inner'], rounds: 12 },
      { id: 'inner', states: [...'abcdef'], order: 'random', sample: 4 },
    ])
    const steps = idsOf(planSteps(drawing, 'seed', 0))
    const rounds = Array.from({ length: 12 }, (_, round) => steps.slice(4 * round, 4 * round + 4))
    expect(new Set(rounds).size).toBeGreaterThan(6)
    expect(new Set(rounds.map((round) => [...round].toSorted().join(''))).size).toBe(1)
  })

  it('has rows of its own in a Latin square, and is balanced with the square around it', () => {
    const squares = study('abcd', [
      { id: 'outer', states: ['one', 'two'], order: 'latin_square' },
      { id: 'one', states: ['a', 'b'], order: 'latin_square' },
      { id: 'two', states: ['c', 'd'] },
    ])
    expect(designOf(squares)?.factors.map(({ blockId }) => blockId)).toEqual(['outer', 'one'])
    const orders = [0, 1].flatMap((outer) =>
      [0, 1].map((one) => idsOf(planSteps(squares, 'seed', 0, { outer, one }))),
    )
    expect(orders).toEqual(['abcd', 'bacd', 'cdab', 'cdba'])
  })

  it('plays the rows of a table, the same whichever part comes first', () => {
    const rows = Array.from({ length: 6 }, (_, at) => ({ word: `w${at}` }))
    const tables = { words: { rows } }
    const withTrials = study(
      'ab',
      [
        { id: 'outer', states: ['one', 'two'], order: 'random' },
        { id: 'one', states: ['a'], trials: { table: 'words', sample: 2 } },
        { id: 'two', states: ['b'], trials: { table: 'words' } },
      ],
      { tables },
    )
    for (let seed = 0; seed < 20; seed += 1) {
      const steps = planSteps(withTrials, `${seed}`, 0)
      const rowsOf = (id: string) =>
        steps.flatMap(({ stateId, trial }) => (stateId === id && trial ? [trial.row] : []))
      expect(rowsOf('a')).toHaveLength(2)
      expect([...rowsOf('a'), ...rowsOf('b')].toSorted()).toEqual([1, 2, 3, 4, 5, 6])
    }
  })

  it('begins anew in each round around it, which is when its condition is asked', () => {
    const steps = planSteps(
      study('abz', [
        { id: 'outer', states: ['inner', 'b'], rounds: 2 },
        { id: 'inner', states: ['a'], rounds: 2 },
      ]),
      'seed',
      0,
    )
    const entered = steps.map((step, at) => blocksEntered(steps[at - 1], step).join(' '))
    expect(entered).toEqual(['outer inner', '', '', 'inner', '', '', ''])
    expect(steps.map((_, at) => positionAfterBlock(steps, at))).toEqual([2, 2, 6, 5, 5, 6, 7])
    expect(positionAfterBlock(steps, 0, 'outer')).toBe(6)
  })

  test.each<[name: string, blocks: Block[], path: string]>([
    ['in itself', [{ id: 'x', states: ['a', 'x'] }], 'abc'],
    [
      'in a circle',
      [
        { id: 'x', states: ['a', 'y'] },
        { id: 'y', states: ['b', 'x'] },
      ],
      'bac',
    ],
    [
      'in two blocks',
      [
        { id: 'x', states: ['z', 'a'] },
        { id: 'y', states: ['z', 'b'] },
        { id: 'z', states: ['c'] },
      ],
      'bca',
    ],
    [
      'and without states',
      [
        { id: 'x', states: ['y', 'a'] },
        { id: 'y', states: ['y'] },
      ],
      'abc',
    ],
    [
      'and called like a state',
      [
        { id: 'x', states: ['b', 'a'] },
        { id: 'b', states: ['c'] },
      ],
      'bac',
    ],
  ])('%s still has a path, although saving refuses most of these', (_, blocks, path) => {
    const ids = idsOf(planSteps(study('abc', blocks), 'seed', 0))
    expect([...ids].toSorted().join('')).toBe('abc')
    expect(ids).toHaveLength(path.length)
  })
})

/** Blocks of six states, each in at most one, and each block in at most one before it. */
const nested: fc.Arbitrary<ExperimentDefinition> = fc
  .tuple(
    fc.array(fc.option(fc.nat(3), { nil: null }), { minLength: 8, maxLength: 8 }),
    fc.array(fc.option(fc.nat(3), { nil: null }), { minLength: 4, maxLength: 4 }),
    fc.array(
      fc.record({
        order: fc.constantFrom('fixed' as const, 'random' as const, 'latin_square' as const),
        rounds: fc.integer({ min: 1, max: 3 }),
      }),
      { minLength: 4, maxLength: 4 },
    ),
  )
  .map(([ofStates, ofBlocks, settings]) => {
    const ids = [...'abcdefgh']
    const blocks = settings.map((more, at) => ({
      id: `b${at}`,
      states: [
        ...ofBlocks.flatMap((around, inner) => (around === at && around < inner ? [`b${inner}`] : [])),
        ...ids.filter((_, index) => ofStates[index] === at),
      ],
      ...more,
    }))
    return study(ids.join(''), blocks)
  })

describe('[F184] for any blocks in blocks', () => {
  it('each state is played as often as the rounds of the blocks around it say, and the same seed gives the same path', () => {
    fc.assert(
      fc.property(nested, fc.string(), fc.nat(20), (definition, seed, ordinal) => {
        const steps = planSteps(definition, seed, ordinal)
        expect(planSteps(definition, seed, ordinal)).toEqual(steps)
        const units = unitsOf(definition)
        const expected = (id: string): number =>
          blockUnitsIn(units)
            .filter(({ stateIds }) => stateIds.includes(id))
            .reduce((product, { block }) => product * (block?.rounds ?? 1), 1)
        for (const { id } of definition.states)
          expect(steps.filter(({ stateId }) => stateId === id)).toHaveLength(expected(id))
        const rows = trialRowsOf(definition)
        expect(units.reduce((sum, unit) => sum + stepsPlayed(unit, rows), 0)).toBe(steps.length)
      }),
    )
  })

  it('no two steps of a state have the same rounds, and a block is left only when it is over', () => {
    fc.assert(
      fc.property(nested, fc.string(), (definition, seed) => {
        const steps = planSteps(definition, seed, 0)
        const places = steps.map(({ stateId, round, within }) => JSON.stringify([stateId, round, within]))
        expect(new Set(places).size).toBe(steps.length)
        for (const { block, stateIds } of blockUnitsIn(unitsOf(definition))) {
          const first = steps.findIndex(({ stateId }) => stateIds.includes(stateId))
          const after = positionAfterBlock(steps, first, block?.id)
          expect(steps.slice(first, after).every(({ stateId }) => stateIds.includes(stateId))).toBe(true)
          if (steps[after] && !steps[first]?.within)
            expect(steps.slice(after).some(({ stateId }) => stateIds.includes(stateId))).toBe(false)
        }
      }),
    )
  })
})
