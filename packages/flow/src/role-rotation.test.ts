import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { roleInRound, roleRingOf } from './role-rotation.ts'

const declared = ['a', 'b', 'c']

/** The role of each seat in each of the rounds. */
function rotated(matched: readonly string[], rounds: number): string[] {
  const { ring, places } = roleRingOf(matched, declared)
  return Array.from({ length: rounds }, (_, index) =>
    places.map((place) => roleInRound(ring, place, index + 1)).join(''),
  )
}

describe('[F85] roles that rotate', () => {
  test('two people change roles in every round', () => {
    expect(rotated(['a', 'b'], 4)).toEqual(['ab', 'ba', 'ab', 'ba'])
    expect(rotated(['b', 'a'], 3)).toEqual(['ba', 'ab', 'ba'])
  })

  test('everyone takes the role that is declared after their own, and after the last the first', () => {
    expect(rotated(['c', 'a', 'b'], 4)).toEqual(['cab', 'abc', 'bca', 'cab'])
  })

  test('one of several people has the only role of its kind in each round, in the order of the seats', () => {
    expect(rotated(['b', 'a', 'b', 'b'], 4)).toEqual(['babb', 'bbba', 'bbab', 'abbb'])
  })

  test('where each role has as many people as the next, or a multiple, whole groups change', () => {
    expect(rotated(['a', 'a', 'b', 'b'], 2)).toEqual(['aabb', 'bbaa'])
    expect(rotated(['a', 'a', 'b', 'b', 'b', 'b'], 3)).toEqual(['aabbbb', 'bbbbaa', 'bbaabb'])
  })

  test('each round has as many people in each role as the first, and in time everybody has each role equally often', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...declared), { minLength: 1, maxLength: 8 }), (matched) => {
        const rounds = rotated(matched, matched.length)
        expect(rounds[0]).toBe(matched.join(''))
        for (const round of rounds) expect([...round].sort()).toEqual([...matched].sort())
        for (const seat of matched.keys())
          expect(rounds.map((round) => round[seat]).sort()).toEqual([...matched].sort())
      }),
    )
  })
})
