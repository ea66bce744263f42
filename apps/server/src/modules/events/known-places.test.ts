import type { ExperimentDefinition } from '@atrium/contract'
import { expect, it } from 'vitest'
import { createKnownPlaces } from './known-places.ts'

const definitionOf = (characters: number, components = 0): ExperimentDefinition => ({
  name: 'Long',
  states: [
    {
      id: 's',
      instructions: 'x'.repeat(characters),
      components: Array.from({ length: components }, (_, index) => ({ id: `c${index}`, type: 'text' })),
    },
  ],
})

it('[E29] keeps the places of revisions up to a total size, not a number', async () => {
  const places = createKnownPlaces()
  for (let number = 0; number < 20; number++) {
    await places.get(`large ${number}`, async () => definitionOf(900_000))
    expect(places.weight()).toBeLessThanOrEqual(3 * 1_048_576)
  }
  expect(places.weight()).toBeGreaterThan(3 * 900_000)
})

it('[E29] counts components in addition to their text', async () => {
  const places = createKnownPlaces()
  await places.get('many', async () => definitionOf(0, 1_000))
  expect(places.weight()).toBeGreaterThan(1_000 * (50 + '{"id":"c0","type":"text"}'.length))
})

it('[E29] reads a definition again only when its places are no longer kept', async () => {
  const places = createKnownPlaces()
  let read = 0
  const definition = async () => {
    read++
    return definitionOf(10, 1)
  }
  const known = await places.get('one', definition)
  expect(known.components.has('c0')).toBe(true)
  expect([known.states.has('s'), known.states.has('t')]).toEqual([true, false])
  expect(await places.get('one', definition)).toBe(known)
  expect(read).toBe(1)
  for (let number = 0; number < 5; number++)
    await places.get(`large ${number}`, async () => definitionOf(900_000))
  await places.get('one', definition)
  expect(read).toBe(2)
})
