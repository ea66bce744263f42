import type { ExperimentDefinition, TrialRow } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAllocator } from './allocate.ts'
import { positionAfterBlock } from './blocks-around.ts'
import { designOf } from './design.ts'
import { planSteps } from './plan.ts'

type Trials = NonNullable<NonNullable<ExperimentDefinition['blocks']>[number]['trials']>

const rowsOf = (count: number): TrialRow[] =>
  Array.from({ length: count }, (_, at) => ({ word: `w${at + 1}`, number: at + 1 }))

/** Blocks that play one state each over the same table. */
const study = (rows: TrialRow[], ...blocks: Omit<Trials, 'table'>[]): ExperimentDefinition =>
  experiment(
    blocks.map((_, at) => state(`s${at}`)),
    {
      tables: { words: { rows } },
      blocks: blocks.map((trials, at) => ({
        id: `b${at}`,
        states: [`s${at}`],
        trials: { table: 'words', ...trials },
      })),
    },
  )

const rowsPlayed = (
  definition: ExperimentDefinition,
  blockId: string,
  seed = 'seed',
  ordinal = 0,
): number[] =>
  planSteps(definition, seed, ordinal).flatMap((step) =>
    step.blockId === blockId ? (step.trial?.row ?? []) : [],
  )

const counted = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

describe('trials', () => {
  it('[F75] play all states of the block once for each row, and know its number and their position', () => {
    const definition = experiment([state('fixation'), state('word'), state('end')], {
      tables: { words: { rows: rowsOf(2) } },
      blocks: [{ id: 'main', states: ['fixation', 'word'], trials: { table: 'words' } }],
    })
    expect(planSteps(definition, 'seed', 0).map(({ stateId, trial }) => [stateId, trial])).toEqual([
      ['fixation', { index: 1, row: 1 }],
      ['word', { index: 1, row: 1 }],
      ['fixation', { index: 2, row: 2 }],
      ['word', { index: 2, row: 2 }],
      ['end', undefined],
    ])
  })

  it('[F76] keep the listed order, or are drawn again in every round', () => {
    const [trials] = [{ order: 'random' as const }]
    const definition = study(rowsOf(20), trials)
    const again = {
      ...definition,
      blocks: definition.blocks?.map((block) => ({ ...block, rounds: 2 })) ?? [],
    }
    const drawn = rowsPlayed(again, 'b0')
    expect(drawn.slice(0, 20).toSorted((a, b) => a - b)).toEqual(counted(20))
    expect(drawn.slice(20).toSorted((a, b) => a - b)).toEqual(counted(20))
    expect(drawn.slice(20)).not.toEqual(drawn.slice(0, 20))
    expect(rowsPlayed(study(rowsOf(20), {}), 'b0')).toEqual(counted(20))
    expect(rowsPlayed(again, 'b0', 'other')).not.toEqual(drawn)
  })

  it('[F77] a sample keeps the order of the table where the order is the listed one', () => {
    const drawn = rowsPlayed(study(rowsOf(40), { sample: 10 }), 'b0')
    expect(drawn).toHaveLength(10)
    expect(drawn).toEqual(drawn.toSorted((a, b) => a - b))
    expect(rowsPlayed(study(rowsOf(40), { sample: 10 }), 'b0', 'other')).not.toEqual(drawn)
  })

  it('[F78] later blocks leave out what earlier ones have drawn, unless they reuse it', () => {
    const practice = { sample: 4, order: 'random' as const }
    const main = rowsPlayed(study(rowsOf(10), practice, {}), 'b1')
    const drawn = rowsPlayed(study(rowsOf(10), practice, {}), 'b0')
    expect(main).toHaveLength(6)
    expect([...main, ...drawn].toSorted((a, b) => a - b)).toEqual(counted(10))
    expect(rowsPlayed(study(rowsOf(10), practice, { reuse: true }), 'b1')).toEqual(counted(10))
    // Without a sample, nothing is drawn: before and after can be compared.
    expect(rowsPlayed(study(rowsOf(10), {}, {}), 'b1')).toEqual(counted(10))
  })

  it('[F79] only rows for which the condition is true are played', () => {
    const definition = study(rowsOf(10), { where: 'trial.number % 2 == 0 && trial.word != "w4"' })
    expect(rowsPlayed(definition, 'b0')).toEqual([2, 6, 8, 10])
  })

  const order = fc.constantFrom('listed' as const, 'random' as const, 'latin_square' as const)
  const someTrials = fc.record({
    order,
    sample: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
    where: fc.option(fc.constantFrom('trial.number > 5', 'trial.number % 3 == 1'), { nil: undefined }),
    reuse: fc.boolean(),
  })
  const given = ({
    sample,
    where,
    ...more
  }: typeof someTrials extends fc.Arbitrary<infer One> ? One : never) => ({
    ...more,
    ...(sample !== undefined && { sample }),
    ...(where !== undefined && { where }),
  })

  it('[F77,F78] whatever the tables, orders and samples: every row at most once, none twice in samples, and the same again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(someTrials, { minLength: 1, maxLength: 4 }),
        fc.string(),
        fc.nat(50),
        (count, some, seed, ordinal) => {
          const definition = study(rowsOf(count), ...some.map(given))
          const steps = planSteps(definition, seed, ordinal)
          expect(planSteps(definition, seed, ordinal)).toEqual(steps)
          const sampled: number[] = []
          for (const [at, { sample, reuse }] of some.entries()) {
            const rows = rowsPlayed(definition, `b${at}`, seed, ordinal)
            expect(new Set(rows).size).toBe(rows.length)
            expect(rows.every((row) => row >= 1 && row <= count)).toBe(true)
            expect(rows.length).toBeLessThanOrEqual(sample ?? count)
            if (!reuse) expect(rows.filter((row) => sampled.includes(row))).toEqual([])
            if (sample !== undefined) sampled.push(...rows)
          }
        },
      ),
    )
  })

  it('[F80] a block is over after its last round', () => {
    const definition = experiment([state('a'), state('b')], {
      tables: { words: { rows: rowsOf(3) } },
      blocks: [{ id: 'main', states: ['a'], rounds: 2, trials: { table: 'words' } }],
    })
    const steps = planSteps(definition, 'seed', 0)
    expect(steps[positionAfterBlock(steps, 1)]?.stateId).toBe('b')
  })

  it('[F83] a Latin square over rows is balanced: every row comes first equally often, and so does every row in a sample', () => {
    const definition = study(rowsOf(6), { order: 'latin_square', sample: 3 })
    const design = designOf(definition)
    if (!design) throw new Error('nothing is assigned')
    expect(design.factors.map(({ blockId, levels }) => [blockId, levels.length])).toEqual([['b0/trials', 6]])
    const allocate = createAllocator(design, [])
    const plays = new Map<number, number>()
    const firsts = new Map<number, number>()
    for (let ordinal = 0; ordinal < 12; ordinal += 1) {
      const { assignment } = allocate({ seed: 'seed', ordinal, seatOrdinal: ordinal, people: 1 })
      const rows = planSteps(definition, `room ${ordinal}`, ordinal, assignment.rows[0]).map(
        ({ trial }) => trial?.row ?? 0,
      )
      expect(rows).toHaveLength(3)
      firsts.set(rows[0] ?? 0, (firsts.get(rows[0] ?? 0) ?? 0) + 1)
      for (const row of rows) plays.set(row, (plays.get(row) ?? 0) + 1)
    }
    expect([...firsts.values()]).toEqual(new Array(6).fill(2))
    expect([...plays.values()]).toEqual(new Array(6).fill(6))
  })
})
