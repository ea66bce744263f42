import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignParts, createComposition } from './composition.ts'

const [first, second, third] = [0b001, 0b010, 0b100]

test('[M23] whoever comes later moves others to another part that they fit', () => {
  const composition = createComposition([1, 1, 1])
  expect(composition.add(first | second)).toBe(true)
  expect(composition.add(second | third)).toBe(true)
  expect(composition.hasPlaceFor(first)).toBe(true)
  // The first moves to the second part, and whoever was there to the third.
  expect(composition.add(first)).toBe(true)
  expect(composition.hasPlaceFor(first | second | third)).toBe(false)
  expect(composition.add(first | second)).toBe(false)
})

test('[M23] a place is free again when somebody goes', () => {
  const composition = createComposition([1, 1])
  composition.add(first | second)
  composition.add(first)
  expect(composition.hasPlaceFor(second)).toBe(false)
  expect(composition.remove(first | second)).toBe(1)
  expect(composition.hasPlaceFor(second)).toBe(true)
  expect(composition.remove(second)).toBe(-1)
})

const anyCrowd = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 4 }),
    fc.array(fc.nat(15), { maxLength: 9 }),
  )
  .map(([counts, fits]) => ({ counts, fits }))

/** Tries every distribution. */
function mostPlaced(fits: readonly number[], counts: readonly number[]): number {
  const [one, ...others] = fits
  if (one === undefined) return 0
  const placed = counts.flatMap((count, part) =>
    count > 0 && (one & (1 << part)) !== 0 ? [1 + mostPlaced(others, counts.with(part, count - 1))] : [],
  )
  return Math.max(mostPlaced(others, counts), ...placed)
}

test('[M23] as many as possible find places, whatever the order; nobody is in a part that they do not fit', () => {
  fc.assert(
    fc.property(anyCrowd, ({ counts, fits }) => {
      const composition = createComposition(counts)
      const placed = fits.filter((one) => {
        const hasPlace = composition.hasPlaceFor(one)
        expect(composition.add(one)).toBe(hasPlace)
        return hasPlace
      })
      expect(placed).toHaveLength(mostPlaced(fits, counts))
      const parts = assignParts(placed, counts)
      for (const [index, part] of parts.entries()) expect((placed[index] ?? 0) & (1 << part)).not.toBe(0)
      for (const [part, count] of counts.entries())
        expect(parts.filter((each) => each === part).length).toBeLessThanOrEqual(count)
    }),
  )
})
