import { expect, test } from 'vitest'
import { createBackends } from './backends.ts'

test('backends take turns; one that failed is skipped for a second', () => {
  let now = 0
  const backends = createBackends(
    () => ['a', 'b', 'c'],
    () => now,
  )
  const turns = (count: number) => Array.from({ length: count }, () => backends.next()[0])
  expect(backends.next()).toEqual(['a', 'b'])
  expect(turns(3)).toEqual(['b', 'c', 'a'])
  expect([backends.failed('b'), backends.failed('b')]).toEqual([true, false])
  expect(new Set(turns(6))).toEqual(new Set(['a', 'c']))
  now = 999
  expect(turns(4)).not.toContain('b')
  now = 1_000
  expect(turns(3).sort()).toEqual(['a', 'b', 'c'])
})

test('when all have failed, all are tried', () => {
  const backends = createBackends(
    () => ['a', 'b'],
    () => 0,
  )
  backends.failed('a')
  backends.failed('b')
  expect(backends.next().sort()).toEqual(['a', 'b'])
})

test('a single backend is its own fallback; without backends there is none', () => {
  const now = () => 0
  expect(createBackends(() => ['a'], now).next()).toEqual(['a', 'a'])
  expect(createBackends(() => [], now).next()).toEqual([])
})
