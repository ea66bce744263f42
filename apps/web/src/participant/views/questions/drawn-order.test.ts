import { describe, expect, it } from 'vitest'
import { drawnOrder, orderOfOptions, orderSeed } from './drawn-order.ts'

const scene = { participantId: 'p1', stateId: 'vote', visit: 2 }
const items = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

describe('a shuffled order', () => {
  it('is the same again after a reload', () => {
    expect(drawnOrder(items, orderSeed(scene, 'q'))).toEqual(drawnOrder(items, orderSeed(scene, 'q')))
  })

  it('keeps every item once and does not change the given list', () => {
    const given = [...items]
    expect(drawnOrder(given, 'seed').sort()).toEqual(items)
    expect(given).toEqual(items)
    expect(drawnOrder([], 'seed')).toEqual([])
  })

  it.each([
    ['participant', { ...scene, participantId: 'p2' }, 'q'],
    ['state', { ...scene, stateId: 'again' }, 'q'],
    ['visit', { ...scene, visit: 3 }, 'q'],
    ['component', scene, 'q2'],
  ])('differs for another %s', (_what, other, componentId) => {
    expect(drawnOrder(items, orderSeed(other, componentId))).not.toEqual(
      drawnOrder(items, orderSeed(scene, 'q')),
    )
  })

  it('does not confuse names whose concatenations are equal', () => {
    expect(orderSeed({ participantId: 'a', stateId: 'bc', visit: 0 }, 'q')).not.toBe(
      orderSeed({ participantId: 'ab', stateId: 'c', visit: 0 }, 'q'),
    )
  })

  it('[R61] of options stays the same among those that are still there when others appear or disappear', () => {
    const options = items.map((value) => ({ value }))
    const all = orderOfOptions(options, 'seed')
    const some = orderOfOptions(
      options.filter(({ value }) => value > 'c'),
      'seed',
    )
    expect(all).not.toEqual(options)
    expect(some).toEqual(all.filter(({ value }) => value > 'c'))
  })

  it.each([
    ['trials', drawnOrder<{ value: string }>],
    ['options', orderOfOptions<{ value: string }>],
  ])('of %s shows each of the six orders of three about equally often', (_what, order) => {
    const counts = new Map<string, number>()
    const people = 6_000
    for (let person = 0; person < people; person++) {
      const seed = orderSeed({ ...scene, participantId: `p${person}` }, 'q')
      const key = order([{ value: 'a' }, { value: 'b' }, { value: 'c' }], seed)
        .map(({ value }) => value)
        .join('')
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect(counts.size).toBe(6)
    const expected = people / 6
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
    expect(chiSquare).toBeLessThan(20.5) // 5 degrees of freedom, p = 0.001.
  })
})
