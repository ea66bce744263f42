import { describe, expect, test } from 'vitest'
import { crowd, person, proposed, quota } from './test/crowd.ts'

describe('order', () => {
  test('[M11] the oldest person who fits any group is in the next one', () => {
    const never = { exclusions: ['never_again' as const] }
    const met = {
      formerPartners: [
        ['a', 'b'],
        ['a', 'c'],
      ] as const,
    }
    expect(proposed(crowd('a b c'), never, met).groups).toEqual(['b c'])
    expect(proposed(crowd('a b c d'), never, met).groups).toEqual(['a d', 'b c'])
  })

  test('[M11] groups are listed by their oldest member, whatever keeps them apart', () => {
    const exclusions = [{ different: 'team' }]
    expect(proposed(crowd('a/x b/y c/x d/y e/x f/y'), { exclusions }).groups).toEqual(['a c', 'b d'])
  })
})

describe('roles', () => {
  const roles = [quota('buyer', 1, 2), quota('seller', 1, 2)]

  test('[M12] those who asked for a role get it; those who take any fill the minima, then the smallest role', () => {
    const four = { min: 4, max: 4, roles }
    expect(proposed(crowd('a b c d'), four).groups).toEqual(['a:buyer b:seller c:buyer d:seller'])
    expect(proposed(crowd('a:seller b c d'), four).groups).toEqual(['a:seller b:buyer c:buyer d:seller'])
    expect(proposed(crowd('a b:buyer c:buyer d:seller'), four).groups).toEqual([
      'a:seller b:buyer c:buyer d:seller',
    ])
  })

  test('[M12] minima come before an even spread', () => {
    const uneven = [quota('guest'), quota('host', 2)]
    expect(proposed(crowd('a b'), { roles: uneven }).groups).toEqual(['a:host b:host'])
  })

  test('[M12] without declared roles, or with an undeclared one, a person takes any', () => {
    expect(proposed(crowd('a b'), {}).groups).toEqual(['a b'])
    expect(proposed(crowd('a:ghost b'), { roles }).groups).toEqual(['a:buyer b:seller'])
  })

  test('[M13] a later arrival goes first only where the roles require it', () => {
    const two = { roles: [quota('buyer', 1, 1), quota('seller', 1, 1)] }
    expect(proposed(crowd('a:buyer b:buyer c:seller d:seller'), two).groups).toEqual([
      'a:buyer c:seller',
      'b:buyer d:seller',
    ])
    expect(proposed(crowd('a:buyer b:buyer'), two).groups).toEqual([])
    expect(proposed(crowd('a:buyer b:buyer c'), two).groups).toEqual(['a:buyer c:seller'])
  })

  test('[M13] seats are kept for the minima', () => {
    const three = { min: 3, max: 3, roles: [quota('judge', 1, 1), quota('player')] }
    expect(proposed(crowd('a:player b:player c:player d:judge'), three).groups).toEqual([
      'a:player b:player d:judge',
    ])
  })
})

describe('exclusions', () => {
  test('[M14] people who have shared a room do not share another', () => {
    const exclusions = ['never_again' as const]
    const formerPartners = [['b', 'a'] as const]
    expect(proposed(crowd('a b c'), { exclusions }, { formerPartners }).groups).toEqual(['a c'])
    expect(proposed(crowd('a b c'), {}, { formerPartners }).groups).toEqual(['a b'])
  })

  test('[M15] same: no value twice; different: one value for all; no value is a value', () => {
    expect(proposed(crowd('a/x b/x c/y d e'), { exclusions: [{ same: 'team' }] }).groups).toEqual([
      'a c',
      'b d',
    ])
    expect(proposed(crowd('a/x b/y c d e/x'), { exclusions: [{ different: 'team' }] }).groups).toEqual([
      'a e',
      'c d',
    ])
  })

  test('[M15] a number and its text are different values', () => {
    const people = [
      person('a', 0, { attributes: { team: 1 } }),
      person('b', 1, { attributes: { team: '1' } }),
      person('c', 2, { attributes: { team: 1 } }),
    ]
    expect(proposed(people, { exclusions: [{ different: 'team' }] }).groups).toEqual(['a c'])
  })

  test('[M17] if the first choice is a dead end, another is found', () => {
    // b follows a, but only c, d and e are compatible with a.
    const formerPartners = [
      ['b', 'c'],
      ['b', 'd'],
      ['b', 'e'],
    ] as const
    const four = { min: 4, max: 4, exclusions: ['never_again' as const] }
    expect(proposed(crowd('a b c d e'), four, { formerPartners }).groups).toEqual(['a c d e'])
  })

  test('[M17] a person discarded on one branch is available on another', () => {
    // Nobody can complete a b c; without b, the search continues with c.
    const formerPartners = [
      ['b', 'd'],
      ['b', 'e'],
    ] as const
    const four = { min: 4, max: 4, exclusions: ['never_again' as const] }
    expect(proposed(crowd('a b c d e'), four, { formerPartners }).groups).toEqual(['a c d e'])
  })

  test('[M17] roles and exclusions are searched together', () => {
    const settings = {
      min: 3,
      max: 3,
      roles: [quota('judge', 1, 1), quota('player')],
      exclusions: [{ same: 'team' }],
    }
    // b is in the same team as the only judge.
    expect(proposed(crowd('a:player/x b:player/z c:player/y d:judge/z'), settings).groups).toEqual([
      'a:player c:player d:judge',
    ])
  })
})

describe('balance', () => {
  test('[M16] mixes the people waiting', () => {
    expect(proposed(crowd('a/x b/x c/y d/y'), { balance: ['team'] }).groups).toEqual(['a c', 'b d'])
    expect(proposed(crowd('a/x b/x c/x d/y e/y f/z'), { min: 3, max: 3, balance: ['team'] }).groups).toEqual([
      'a d f',
      'b c e',
    ])
  })

  test('[M16] does not delay', () => {
    expect(proposed(crowd('a/x b/x'), { balance: ['team'] }).groups).toEqual(['a b'])
  })

  test('[M16] looks no further than four groups', () => {
    const alike = 'a/x b/x c/x d/x e/x f/x g/x i/x'
    expect(proposed(crowd(`${alike} h/y`), { balance: ['team'] }).groups[0]).toBe('a h')
    expect(proposed(crowd(`${alike} j/x h/y`), { balance: ['team'] }).groups[0]).toBe('a b')
  })
})
