import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assignCondition } from './conditions.ts'
import { latinSquareRow, random, shuffled } from './random.ts'

const countBy = <T>(items: readonly T[]): Map<T, number> => {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index)
const sizes = fc.integer({ min: 1, max: 12 })

describe('random numbers', () => {
  it('[F12] a seed always gives the numbers of an independent sfc32', () => {
    const next = random('atrium')
    expect([next(), next(), next()]).toEqual([0.7564210558775812, 0.5159275953192264, 0.4419391283299774])
    expect(shuffled(['a', 'b', 'c', 'd', 'e'], 'atrium')).toEqual(['d', 'c', 'b', 'e', 'a'])
  })

  it('[F12] numbers are spread over [0, 1), and shuffling keeps every item', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.integer()), (seed, items) => {
        const next = random(seed)
        const draws = upTo(400).map(next)
        expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true)
        const mean = draws.reduce((sum, draw) => sum + draw, 0) / draws.length
        expect(Math.abs(mean - 0.5)).toBeLessThan(0.1)
        expect(shuffled(items, seed).toSorted()).toEqual(items.toSorted())
        expect(shuffled(items, seed)).toEqual(shuffled(items, seed))
      }),
    )
  })

  it('[F12] every order is about equally likely', () => {
    const orders = countBy(upTo(6000).map((index) => shuffled(['a', 'b', 'c'], `room ${index}`).join('')))
    expect(orders.size).toBe(6)
    for (const count of orders.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })
})

describe('Latin squares', () => {
  it('[F14] each value appears in each position, and after each other value, equally often', () => {
    fc.assert(
      fc.property(sizes, (n) => {
        const rows = upTo(n % 2 === 0 ? n : 2 * n).map((row) => latinSquareRow(n, row))
        for (const row of rows) expect(row.toSorted((a, b) => a - b)).toEqual(upTo(n))
        for (const position of upTo(n)) {
          const counts = countBy(rows.map((row) => row[position]))
          expect(new Set(counts.values())).toEqual(new Set([rows.length / n]))
        }
        const pairs = countBy(
          rows.flatMap((row) => row.slice(1).map((value, index) => `${row[index]} ${value}`)),
        )
        expect(pairs.size).toBe(n * (n - 1))
        expect(new Set(pairs.values()).size).toBe(n === 1 ? 0 : 1)
      }),
    )
  })

  it('[F14] rows repeat beyond the square', () => {
    expect(latinSquareRow(4, 5)).toEqual(latinSquareRow(4, 1))
    expect(latinSquareRow(3, 6)).toEqual(latinSquareRow(3, 0))
  })
})

describe('conditions', () => {
  const conditionsOf = (n: number, assign?: 'random' | 'balanced' | 'latin_square') => ({
    values: upTo(n).map((index) => `c${index}`),
    ...(assign ? { assign } : {}),
  })

  it('[F13] balanced and latin_square: k·n assignments contain each value k times', () => {
    const assignments = fc.constantFrom(undefined, 'balanced' as const, 'latin_square' as const)
    fc.assert(
      fc.property(sizes, assignments, fc.string(), fc.integer({ min: 1, max: 5 }), (n, assign, seed, k) => {
        const conditions = conditionsOf(n, assign)
        const assigned = upTo(k * n).map((ordinal) => assignCondition(conditions, seed, ordinal))
        const counts = countBy(assigned)
        expect([...counts.keys()].toSorted()).toEqual(conditions.values.toSorted())
        expect(new Set(counts.values())).toEqual(new Set([k]))
      }),
    )
  })

  it('[F13] balanced: the order differs from block to block', () => {
    const conditions = conditionsOf(3)
    const orders = upTo(30).map((block) =>
      upTo(3)
        .map((index) => assignCondition(conditions, 'seed', block * 3 + index))
        .join(),
    )
    expect(new Set(orders).size).toBeGreaterThan(3)
  })

  it('[F13] random: drawn by seed and ordinal, all values about equally often', () => {
    const conditions = conditionsOf(4, 'random')
    const assigned = upTo(4000).map((ordinal) => assignCondition(conditions, 'seed', ordinal))
    for (const count of countBy(assigned).values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
    expect(upTo(50).map((ordinal) => assignCondition(conditions, 'seed', ordinal))).toEqual(
      assigned.slice(0, 50),
    )
  })

  it('[F13] without conditions the result is null', () => {
    expect(assignCondition(undefined, 'seed', 0)).toBeNull()
  })
})
