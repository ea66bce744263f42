import type { ExperimentDefinition } from '@atrium/contract'
import { expect, it } from 'vitest'
import { createBlueprintCache } from './blueprint-cache.ts'

const definitionOf = (characters: number): ExperimentDefinition => ({
  name: 'Long',
  states: [{ id: 's', instructions: 'x'.repeat(characters), components: [] }],
})

it('[RM148] keeps blueprints up to a total size, not a number', async () => {
  const cache = createBlueprintCache()
  for (let number = 0; number < 30; number++) {
    await cache.get(`large ${number}`, async () => definitionOf(900_000))
    expect(cache.weight()).toBeLessThanOrEqual(8 * 1_048_576)
  }
  expect(cache.weight()).toBeGreaterThan(7 * 900_000)
})

it('[RM148] rooms of one revision share its blueprint, even when it is no longer kept', async () => {
  const cache = createBlueprintCache()
  let read = 0
  const written = async () => {
    read++
    return definitionOf(10)
  }
  const [first, atOnce] = await Promise.all([cache.get('one', written), cache.get('one', written)])
  expect(atOnce).toBe(first)
  const before = read
  for (let number = 0; number < 20; number++)
    await cache.get(`large ${number}`, async () => definitionOf(900_000))
  expect(await cache.get('one', written)).toBe(first)
  expect(read).toBe(before)
})
