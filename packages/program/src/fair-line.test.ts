import { expect, test } from 'vitest'
import { createFairLine } from './fair-line.ts'

function lineOf(max: number, ...items: string[]) {
  const line = createFairLine<string>(max)
  for (const item of items) line.add(item.charAt(0), item)
  return line
}

function takeAll(line: ReturnType<typeof lineOf>): string[] {
  const taken: string[] = []
  for (let item = line.take(); item !== undefined; item = line.take()) taken.push(item)
  return taken
}

test('owners take turns, each with the oldest first', () => {
  expect(takeAll(lineOf(10, 'a1', 'a2', 'a3', 'b1', 'c1', 'b2'))).toEqual([
    'a1',
    'b1',
    'c1',
    'a2',
    'b2',
    'a3',
  ])
})

test('an owner who has just had a turn comes after those who have not', () => {
  const line = lineOf(10, 'a1', 'a2', 'a3')
  expect(line.take()).toBe('a1')
  line.add('b', 'b1')
  expect(line.take()).toBe('b1')
  line.add('c', 'c1')
  expect(takeAll(line)).toEqual(['a2', 'c1', 'a3'])
})

test('so does an owner who had nothing else in the queue at that turn', () => {
  const line = lineOf(10, 'a1')
  expect(line.take()).toBe('a1')
  for (const item of ['a2', 'a3', 'b1']) line.add(item.charAt(0), item)
  expect(takeAll(line)).toEqual(['b1', 'a2', 'a3'])
})

test('when it is full, the owner with most items loses the newest', () => {
  const line = lineOf(4, 'a1', 'a2', 'a3', 'b1')
  expect(line.add('a', 'a4')).toBe('a4')
  expect(line.add('c', 'c1')).toBe('a3')
  expect(line.add('c', 'c2')).toBe('c2')
  expect(line.size()).toBe(4)
  expect(takeAll(line)).toEqual(['a1', 'b1', 'c1', 'a2'])
  expect(line.size()).toBe(0)
})

test('a queue without places takes nothing', () => {
  expect(createFairLine<string>(0).add('a', 'a1')).toBe('a1')
})

test('removed items get no turn, and owners without items are forgotten', () => {
  const line = lineOf(10, 'a1', 'b1', 'b2')
  expect([line.remove('a', 'a1'), line.remove('a', 'a1'), line.remove('b', 'b1')]).toEqual([
    true,
    false,
    true,
  ])
  line.add('a', 'a2')
  expect(takeAll(line)).toEqual(['b2', 'a2'])
})
