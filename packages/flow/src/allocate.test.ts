import { experiment, state } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAllocator } from './allocate.ts'
import type { Rows } from './assignment.ts'
import { type Design, designOf, maxJointCells } from './design.ts'
import { latinSquareRows } from './random.ts'

interface Shape {
  conditions?: number
  assign?: 'random' | 'balanced' | 'latin_square'
  /** The number of states in each block. */
  blocks: number[]
  /** Everyone in a group of four moves at their own pace. */
  movesAlone?: true
}

function designWith({ conditions = 0, assign, blocks, movesAlone }: Shape): Design {
  const members = blocks.map((states, block) =>
    Array.from({ length: states }, (_, one) => `s${block}-${one}`),
  )
  const values = Array.from({ length: conditions }, (_, index) => `c${index}`)
  const found = designOf(
    experiment(
      [...members.flat(), 'last'].map((id) => state(id)),
      {
        blocks: members.map((states, index) => ({ id: `b${index}`, states, order: 'latin_square' })),
        ...(movesAlone && { pacing: 'participant', matching: { groupSize: 4 } }),
        ...(conditions > 0 && { conditions: { values, ...(assign && { assign }) } }),
      },
    ),
  )
  if (!found) throw new Error('there is nothing to assign')
  return found
}

const blocksOf = fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 0, maxLength: 3 })
const shapes = fc
  .record({ conditions: fc.integer({ min: 0, max: 4 }), blocks: blocksOf })
  .filter(({ conditions, blocks }) => conditions + blocks.length > 0)

const written = (condition: string | null, rows: Rows | undefined): string =>
  JSON.stringify([condition, rows])

/** The assignments of rooms for one, none of whom gives anything back. */
function assigned(design: Design, rooms: number, seed = 'seed') {
  const allocate = createAllocator(design, [])
  return Array.from({ length: rooms }, (_, ordinal) => {
    const { assignment } = allocate({ seed, ordinal, seatOrdinal: ordinal, people: 1 })
    return { condition: assignment.condition, rows: assignment.rows[0] ?? {} }
  })
}

const countsOf = (keys: readonly string[]): Map<string, number> =>
  new Map([...Map.groupBy(keys, (key) => key)].map(([key, same]) => [key, same.length]))

describe('what rooms are assigned', () => {
  it('[F40] conditions and the rows of all squares come in every combination, once in every N rooms', () => {
    fc.assert(
      fc.property(shapes, fc.string(), fc.integer({ min: 1, max: 2 }), (shape, seed, times) => {
        const design = designWith(shape)
        fc.pre(design.cells <= 500)
        const rooms = assigned(design, times * design.cells, seed)
        const counts = countsOf(rooms.map(({ condition, rows }) => written(condition, rows)))
        expect(counts.size).toBe(design.cells)
        expect(new Set(counts.values())).toEqual(new Set([times]))
      }),
      { numRuns: 40 },
    )
  })

  it('[F40] conditions are balanced in every n rooms, and the orders of the first block within each of them', () => {
    const rooms = assigned(designWith({ conditions: 2, blocks: [3, 2] }), 24 * 10)
    for (let start = 0; start < rooms.length; start += 2)
      expect(new Set(rooms.slice(start, start + 2).map(({ condition }) => condition)).size).toBe(2)
    for (const condition of ['c0', 'c1']) {
      const rows = rooms.filter((room) => room.condition === condition).map((room) => room.rows.b0)
      for (let start = 0; start < rows.length; start += 6)
        expect(rows.slice(start, start + 6).toSorted()).toEqual([0, 1, 2, 3, 4, 5])
    }
  })

  it('[F40] over 2,000 rooms the joint distribution of conditions and orders passes a chi-square test', () => {
    const rooms = assigned(designWith({ conditions: 3, blocks: [3, 3] }), 2_000)
    const counts = countsOf(rooms.map(({ condition, rows }) => written(condition, rows)))
    const expected = 2_000 / 108
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(counts.size).toBe(108)
    // The 0.1 % quantile of chi-square with 107 degrees of freedom is 67: balance is far better than chance.
    expect(chiSquare).toBeLessThan(67)
  })

  it('[F40] which of the equally filled comes first is drawn from the seed', () => {
    const design = designWith({ conditions: 4, blocks: [] })
    const orders = Array.from({ length: 40 }, (_, seed) =>
      assigned(design, 4, `${seed}`)
        .map(({ condition }) => condition)
        .join(),
    )
    expect(new Set(orders).size).toBeGreaterThan(10)
    expect(assigned(design, 12, 'one')).toEqual(assigned(design, 12, 'one'))
  })

  it('[F40] with `latin_square` conditions take turns as listed, independent of the orders', () => {
    const rooms = assigned(designWith({ conditions: 3, assign: 'latin_square', blocks: [2] }), 12)
    expect(rooms.map(({ condition }) => condition).join(' ')).toBe(
      Array.from({ length: 4 }, () => 'c0 c1 c2').join(' '),
    )
    expect(countsOf(rooms.map(({ condition, rows }) => written(condition, rows))).size).toBe(6)
  })

  it('[F40] drawn conditions are drawn, and the orders are balanced within each', () => {
    const rooms = assigned(designWith({ conditions: 2, assign: 'random', blocks: [4] }), 400)
    for (const condition of ['c0', 'c1']) {
      const counts = [
        ...countsOf(
          rooms.filter((room) => room.condition === condition).map(({ rows }) => `${rows.b0}`),
        ).values(),
      ]
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    }
  })

  it('[F41] where there are too many combinations, each order is balanced within the conditions, and no two go together', () => {
    const design = designWith({ conditions: 2, blocks: [5, 5, 5] })
    expect(design.cells).toBe(2_000)
    const rooms = assigned(design, 2_000)
    for (const block of ['b0', 'b1', 'b2']) {
      const counts = countsOf(rooms.map(({ condition, rows }) => `${condition} ${rows[block]}`))
      expect([...counts.values()]).toEqual(Array.from({ length: 20 }, () => 100))
    }
    const pairs = countsOf(rooms.map(({ rows }) => `${rows.b0} ${rows.b1}`))
    const chiSquare = [...pairs.values()].reduce((sum, count) => sum + (count - 20) ** 2 / 20, 0)
    expect(pairs.size).toBe(100)
    // The 99.9 % quantile with 81 degrees of freedom, margins fixed.
    expect(chiSquare).toBeLessThan(127)
  })

  it.each<[conditions: number, blocks: number[]]>([
    [0, Array(500).fill(2)],
    [2, Array(500).fill(2)],
    [1_000, Array(500).fill(2)],
    [30, Array(300).fill(3)],
    [10, [999]],
  ])(
    '[F41] %i conditions and many blocks have no more counts than 1,000 and the levels of each',
    (conditions, blocks) => {
      const { groups, factors } = designWith({ conditions, blocks })
      const counts = groups.map((group) => group.reduce((product, { levels }) => product * levels.length, 1))
      const levels = factors.reduce((sum, factor) => sum + factor.levels.length, 0)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(maxJointCells + levels)
      expect(new Set(groups.map((group) => group.at(-1)))).toEqual(new Set(factors))
    },
  )

  it('[F42] everyone with a pace of their own is assigned orders of their own, in the condition of the room', () => {
    const allocate = createAllocator(designWith({ conditions: 2, blocks: [2, 2], movesAlone: true }), [])
    const rooms = Array.from({ length: 16 }, (_, ordinal) =>
      allocate({ seed: 's', ordinal, seatOrdinal: ordinal * 4, people: 4 }),
    )
    const people = rooms.flatMap(({ assignment }) =>
      assignment.rows.map((rows) => written(assignment.condition, rows)),
    )
    expect(rooms.every(({ assignment, cells }) => assignment.rows.length === 4 && cells.length === 4)).toBe(
      true,
    )
    expect([...countsOf(people).values()]).toEqual(Array.from({ length: 8 }, () => 8))
  })

  it('[F43] what was given back is filled first', () => {
    const design = designWith({ conditions: 2, blocks: [2] })
    const counts: [string, number][] = [
      ['c0×b0#0', 5],
      ['c0×b0#1', 3],
      ['c1×b0#0', 5],
      ['c1×b0#1', 5],
      ['another design×b9#1', 40],
    ]
    const allocate = createAllocator(design, counts)
    const next = Array.from({ length: 2 }, (_, ordinal) =>
      allocate({ seed: 's', ordinal, seatOrdinal: ordinal, people: 1 }),
    )
    expect(next.map(({ cells }) => cells)).toEqual([[['c0×b0#1']], [['c0×b0#1']]])
  })
})

it('[F40] a block of one state, a fixed and a random order leave nothing to assign', () => {
  const states = ['a', 'b', 'c'].map((id) => state(id))
  expect(latinSquareRows(1)).toBe(1)
  const blocks = [
    { id: 'one', states: ['a'], order: 'latin_square' as const },
    { id: 'two', states: ['b', 'c'], order: 'random' as const },
  ]
  expect(designOf(experiment(states, { blocks }))).toBeNull()
})
