import { expect, test } from 'vitest'
import { AppError } from './app-error.ts'
import { type Disk, type SpaceLevel, spaceLevel, watchSpace } from './space.ts'

test.each([
  [1_000, 'enough'],
  [999, 'low'],
  [500, 'low'],
  [499, 'critical'],
  [0, 'critical'],
] as const)('[E28,RM182] with a floor of 1,000 bytes, %i free bytes are %s', (freeBytes, level) => {
  expect(spaceLevel(freeBytes, 1_000)).toBe(level)
  expect(spaceLevel(freeBytes, 0)).toBe('enough')
})

/** A disk that is looked at when the test says so. */
async function watched(looks: (number | Error)[]) {
  const waiting: (() => void)[] = []
  const levels: SpaceLevel[] = []
  const errors: unknown[] = []
  const measure = async (): Promise<Disk> => {
    const next = looks.shift() ?? new Error('nothing to see')
    if (next instanceof Error) throw next
    return { freeBytes: next, totalBytes: 1 }
  }
  const space = await watchSpace({
    measure,
    floorBytes: () => 1_000,
    onLevel: (level) => levels.push(level),
    onError: (error) => errors.push(error),
    schedule: (_ms, action) => {
      waiting.push(action)
      return () => waiting.splice(waiting.indexOf(action), 1)
    },
  })
  const look = async () => {
    waiting.shift()?.()
    await new Promise(setImmediate)
  }
  return { space, waiting, levels, errors, look }
}

test('[E28] data is refused below the floor, progress below half of it, and each change is told once', async () => {
  const { space, levels, look } = await watched([2_000, 900, 800, 100, 2_000])
  const met = () => (['data', 'progress'] as const).filter((need) => space.has(need))
  expect(met()).toEqual(['data', 'progress'])
  await look()
  expect(met()).toEqual(['progress'])
  expect(() => space.require('progress')).not.toThrow()
  await look()
  await look()
  expect(met()).toEqual([])
  expect(() => space.require('progress')).toThrow(AppError)
  expect([space.level(), space.freeBytes()]).toEqual(['critical', 100])
  await look()
  expect(met()).toEqual(['data', 'progress'])
  expect(levels).toEqual(['low', 'critical', 'enough'])
})

test('[E28] a disk that cannot be looked at keeps its level and is looked at again, until it is stopped', async () => {
  const { space, waiting, errors, look } = await watched([900, new Error('gone'), 2_000])
  await look()
  expect([space.level(), errors.length]).toEqual(['low', 1])
  await look()
  expect(space.level()).toBe('enough')
  space.stop()
  expect(waiting).toEqual([])
})

test('[E28] where nobody can see the disk there is no floor', async () => {
  const space = await watchSpace({
    measure: undefined,
    floorBytes: () => 1_000,
    onLevel: () => undefined,
    onError: () => undefined,
  })
  expect([space.level(), space.freeBytes(), space.has('data')]).toEqual(['enough', undefined, true])
})
