import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ByParts, mostPeople, type OpenGroup } from './most-people.ts'
import { anyRole } from './pool.ts'

const [first, second] = [0b01, 0b10]
const byParts = (...fits: number[]): ByParts => {
  const counted: ByParts = new Map()
  for (const one of fits) counted.set(one, (counted.get(one) ?? 0) + 1)
  return counted
}
const most = (group: Partial<OpenGroup>) =>
  mostPeople({
    ...{ counts: [2, 2], seated: new Map(), roles: [], spare: 0, supply: new Map() },
    ...group,
  }).people

test('[M28] those who are seated move to other parts, but stay', () => {
  const supply = new Map([[anyRole, byParts(first, first, first, first)]])
  expect(most({ supply })).toBe(2)
  expect(most({ seated: byParts(first | second, first | second), supply })).toBe(4)
  expect(most({ seated: byParts(first), supply })).toBe(2)
  expect(most({ seated: byParts(second, second), supply })).toBe(4)
})

test('[M28] a role that no other person has may be the only one for a part', () => {
  const [buyer, seller] = [0, 1]
  const roles = [
    { needed: 1, more: 0 },
    { needed: 1, more: 0 },
  ]
  const counts = [1, 1]
  const supply = (buyers: ByParts, sellers: ByParts) =>
    new Map([
      [buyer, buyers],
      [seller, sellers],
    ])
  expect(most({ counts, roles, supply: supply(byParts(first), byParts(first)) })).toBe(1)
  expect(most({ counts, roles, supply: supply(byParts(first), byParts(first, second)) })).toBe(2)
  // With two of a role, the parts would be full; the minima leave no place for that.
  expect(most({ counts, roles, supply: supply(byParts(first, second), byParts(first)) })).toBe(2)
  expect(most({ counts, roles, supply: supply(byParts(first, second), new Map()) })).toBe(1)
  const open = [
    { needed: 1, more: 1 },
    { needed: 0, more: 1 },
  ]
  expect(most({ counts, roles: open, spare: 1, supply: supply(byParts(first, second), new Map()) })).toBe(2)
  expect(most({ counts, roles: open, spare: 0, supply: supply(byParts(first, second), new Map()) })).toBe(1)
})

interface Somebody {
  role: number
  fits: number
}

/** Tries everybody in every part, or nowhere. */
function mostByTrying(
  people: readonly Somebody[],
  counts: readonly number[],
  places: readonly number[],
): number {
  const [one, ...others] = people
  if (!one) return 0
  const isOfRole = one.role === anyRole || (places[one.role] ?? 0) > 0
  const left = one.role === anyRole ? places : places.with(one.role, (places[one.role] ?? 0) - 1)
  const seated = counts.flatMap((count, part) =>
    isOfRole && count > 0 && (one.fits & (1 << part)) !== 0
      ? [1 + mostByTrying(others, counts.with(part, count - 1), left)]
      : [],
  )
  return Math.max(mostByTrying(others, counts, places), ...seated)
}

test('[M28] as many as trying everything finds', () => {
  const anybody = fc.record({ role: fc.constantFrom(anyRole, 0, 1), fits: fc.nat(7) })
  const counts = fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 1, maxLength: 3 })
  const places = fc.tuple(fc.nat(3), fc.nat(3))
  fc.assert(
    fc.property(fc.array(anybody, { maxLength: 7 }), counts, places, (people, counts, places) => {
      const supply = new Map(
        [anyRole, 0, 1].map((role) => [
          role,
          byParts(...people.filter((one) => one.role === role).map(({ fits }) => fits)),
        ]),
      )
      const roles = places.map((needed) => ({ needed, more: 0 }))
      expect(most({ counts, roles, supply })).toBe(mostByTrying(people, counts, places))
    }),
  )
})
