import type { Conditions } from '@atrium/contract'
import { experiment, state } from '@atrium/testkit/definitions'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAllocator } from './allocate.ts'
import { maxStrata, stratumOf } from './cells.ts'
import { type Design, designOf } from './design.ts'

const frames = { frame: ['gain', 'loss'], source: ['human', 'machine'] }

function designWith(conditions: Conditions, more = {}): Design {
  const found = designOf(experiment([state('a'), state('b')], { conditions, ...more }))
  if (!found) throw new Error('there is nothing to assign')
  return found
}

/** Rooms one after another; everybody counts, and nobody gives anything back. */
function rooms(design: Design, count: number, { people = 1, strata = (_: number): string[] => [] } = {}) {
  const allocate = createAllocator(design, [])
  return Array.from({ length: count }, (_, ordinal) =>
    allocate({ seed: 's', ordinal, seatOrdinal: ordinal * people, people, strata: strata(ordinal) }),
  )
}

const conditionsOf = (found: ReturnType<typeof rooms>): (string | null)[] =>
  found.flatMap(({ assignment: { conditions, condition } }) => [...(conditions ?? [condition])])

const sizesOf = (names: readonly (string | null)[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(names, (name) => `${name}`)].map(([name, same]): [string, number] => [name, same.length]),
  )

it('[R65,F65] the cells of factors are balanced like conditions, in the order of the factors', () => {
  expect(sizesOf(conditionsOf(rooms(designWith({ factors: frames }), 40)))).toEqual({
    'gain×human': 10,
    'gain×machine': 10,
    'loss×human': 10,
    'loss×machine': 10,
  })
})

it('[F65] cells are balanced with the orders of blocks', () => {
  const blocks = [{ id: 'b', states: ['a', 'b'], order: 'latin_square' }]
  const found = rooms(designWith({ factors: frames }, { blocks }), 16)
  const cells = found.flatMap(({ cells }) => cells.flat())
  expect(Object.values(sizesOf(cells))).toEqual(Array(8).fill(2))
  const counts = [...Map.groupBy(cells, (cell) => cell)].map(([cell, same]): [string, number] => [
    cell,
    same.length,
  ])
  const [other] = counts.filter(([cell]) => cell.startsWith('loss×machine×b#1'))
  const later = createAllocator(
    designWith({ factors: frames }, { blocks }),
    counts.filter((one) => one !== other),
  )
  expect(later({ seed: 's', ordinal: 16, seatOrdinal: 16, people: 1 }).cells).toEqual([['loss×machine×b#1']])
})

describe('[F66] weights', () => {
  it('give each condition its share in every block of rooms, and nobody where the weight is 0', () => {
    const weights = { x: 3, y: 1, z: 0 }
    const design = designWith({ values: ['x', 'y', 'z'], weights })
    const found = conditionsOf(rooms(design, 40))
    for (let from = 0; from < 40; from += 4)
      expect(sizesOf(found.slice(from, from + 4))).toEqual({ x: 3, y: 1 })
  })

  it('are the chances where conditions are drawn', () => {
    const design = designWith({ values: ['x', 'y', 'z'], assign: 'random', weights: { x: 3, z: 0 } })
    const { x = 0, y = 0, z = 0 } = sizesOf(conditionsOf(rooms(design, 4_000)))
    expect(z).toBe(0)
    expect(x / (x + y)).toBeCloseTo(0.75, 1)
  })

  it('of 1 change nothing: drawn conditions are those of a study without weights', () => {
    const plain = designWith({ values: ['x', 'y', 'z'], assign: 'random' })
    const weighted = designWith({ values: ['x', 'y', 'z'], assign: 'random', weights: { x: 1 } })
    expect(conditionsOf(rooms(weighted, 100))).toEqual(conditionsOf(rooms(plain, 100)))
  })
})

describe('[F67] conditions of participants', () => {
  const own = { factors: frames, per: 'participant' as const }
  const pairs = { matching: { groupSize: 2 } }

  it('are balanced over all people, so that people in a room differ', () => {
    const found = rooms(designWith(own, pairs), 10, { people: 2 })
    expect(Object.values(sizesOf(conditionsOf(found)))).toEqual(Array(4).fill(5))
    expect(found.every(({ assignment }) => assignment.condition === null)).toBe(true)
    expect(found.every(({ assignment: { conditions = [] } }) => conditions[0] !== conditions[1])).toBe(true)
  })

  it('leave the order of blocks to the room where everyone moves together', () => {
    const blocks = [{ id: 'b', states: ['a', 'b'], order: 'latin_square' }]
    const found = rooms(designWith(own, { ...pairs, blocks }), 20, { people: 2 })
    expect(found.every(({ assignment }) => assignment.rows.length === 1)).toBe(true)
    expect(sizesOf(found.map(({ assignment }) => `${assignment.rows[0]?.b}`))).toEqual({ 0: 10, 1: 10 })
    expect(found.every(({ cells: [one = [], other = []] }) => one.at(-1) === other.at(-1))).toBe(true)
  })

  it('are those of the room for people alone', () => {
    const [first] = rooms(designWith(own), 1)
    expect(first?.assignment.conditions).toBeUndefined()
    expect(first?.assignment.condition).toMatch('×')
  })
})

describe('[F68] quotas', () => {
  it('are never exceeded, whatever is given back meanwhile, and once all are full nobody is assigned', () => {
    const steps = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 })
    const shape = fc.record({
      x: fc.integer({ min: 0, max: 8 }),
      y: fc.integer({ min: 0, max: 8 }),
      people: fc.integer({ min: 1, max: 3 }),
      assign: fc.constantFrom('balanced' as const, 'random' as const, 'latin_square' as const),
      per: fc.constantFrom('room' as const, 'participant' as const),
    })
    fc.assert(
      fc.property(shape, steps, ({ x, y, people, assign, per }, leaves) => {
        const quotas: Record<string, number> = { x, y }
        const size = people > 1 ? { matching: { groupSize: people } } : {}
        const design = designWith({ values: ['x', 'y'], quotas, assign, per }, size)
        const counts = new Map<string, number>()
        const inside: string[] = []
        for (const [ordinal, isLeaving] of leaves.entries()) {
          const gone = isLeaving ? inside.pop() : undefined
          if (gone !== undefined) counts.set(gone, (counts.get(gone) ?? 0) - 1)
          const room = createAllocator(
            design,
            counts,
          )({ seed: 's', ordinal, seatOrdinal: ordinal * 3, people })
          const free = Object.entries(quotas).map(([name, quota]) => quota - (counts.get(name) ?? 0))
          const fits =
            per === 'participant' && people > 1
              ? free.reduce((sum, one) => sum + one, 0) >= people
              : free.some((one) => one >= people)
          expect(room.assignment.isFull ?? false).toBe(!fits)
          for (const cell of room.cells.flat()) {
            counts.set(cell, (counts.get(cell) ?? 0) + 1)
            inside.push(cell)
          }
          for (const [name, count] of counts) expect(count).toBeLessThanOrEqual(quotas[name] ?? 0)
        }
      }),
    )
  })

  it('hold over all strata together', () => {
    const design = designWith({ values: ['x', 'y'], quotas: { x: 3, y: 3 }, strata: ['age'] })
    const found = rooms(design, 8, { strata: (ordinal) => [stratumOf([ordinal % 2])] })
    expect(sizesOf(conditionsOf(found))).toEqual({ x: 3, y: 3, null: 2 })
  })
})

describe('[F69] strata', () => {
  const design = designWith({ values: ['x', 'y'], strata: ['age'] })

  it('are balanced each by itself', () => {
    const old = stratumOf(['old'])
    const young = stratumOf(['young'])
    const strataOf = (ordinal: number) => [ordinal % 3 === 0 ? old : young]
    const found = rooms(design, 36, { strata: strataOf })
    const of = (stratum: string) => found.filter((_, ordinal) => strataOf(ordinal)[0] === stratum)
    expect(sizesOf(conditionsOf(of(old)))).toEqual({ x: 6, y: 6 })
    expect(sizesOf(conditionsOf(of(young)))).toEqual({ x: 12, y: 12 })
  })

  it('of people with other values than the first hundred count as one', () => {
    const found = rooms(design, maxStrata + 40, { strata: (ordinal) => [stratumOf([ordinal])] })
    const strata = new Set(found.flatMap(({ cells }) => cells.flat().map((cell) => cell.split('×')[0])))
    expect(strata.size).toBe(maxStrata + 1)
    expect(sizesOf(conditionsOf(found.slice(maxStrata)))).toEqual({ x: 20, y: 20 })
  })

  it('make another design, so that what was counted without them is no part of it', () => {
    expect(designWith({ values: ['x', 'y'] }).id).not.toBe(design.id)
    expect(designWith({ values: ['x', 'y'], quotas: { x: 1 }, weights: { x: 2 } }).id).toBe(
      designWith({ values: ['x', 'y'] }).id,
    )
  })
})
