import { describe, expect, test } from 'vitest'
import { crowd, person, proposed, quota } from './test/crowd.ts'

const nobody = {}

describe('who takes part', () => {
  test('[M1] people who do not fit a filter, or give no value, are screened out at once', () => {
    const filters = [
      { attribute: 'age', min: 18, max: 65 },
      { attribute: 'country', in: ['DE', 'AT'] },
    ]
    const people = [
      person('fits', 0, { attributes: { age: 18, country: 'DE' } }),
      person('young', 1, { attributes: { age: 17, country: 'DE' } }),
      person('old', 2, { attributes: { age: 66, country: 'DE' } }),
      person('elsewhere', 3, { attributes: { age: 30, country: 'FR' } }),
      person('silent', 4, { attributes: { age: 30 } }),
      person('wordy', 5, { attributes: { age: 'thirty', country: 'AT' } }),
      person('fitsToo', 6, { attributes: { age: '65', country: 'AT' } }),
    ]
    expect(proposed(people, { filters })).toEqual({
      groups: ['fits fitsToo'],
      endings: {
        young: 'screened_out',
        old: 'screened_out',
        elsewhere: 'screened_out',
        silent: 'screened_out',
        wordy: 'screened_out',
      },
    })
  })

  test('[M1] an attribute may have a name that every object inherits', () => {
    const people = [person('a', 0), person('b', 1, { attributes: { constructor: 'x' } })]
    const filters = [{ attribute: 'constructor', in: ['x'] }]
    expect(proposed(people, { min: 1, max: 1, filters })).toEqual({
      groups: ['b'],
      endings: { a: 'screened_out' },
    })
  })
})

describe('without a deadline', () => {
  test('[M3] a group starts as soon as enough people fit, with as many as allowed', () => {
    const size = { min: 2, max: 4 }
    expect(proposed(crowd('a'), size).groups).toEqual([])
    expect(proposed(crowd('a b'), size).groups).toEqual(['a b'])
    expect(proposed(crowd('a b c d e f'), size).groups).toEqual(['a b c d', 'e f'])
    expect(proposed(crowd('a b c d e'), size)).toEqual({ groups: ['a b c d'], endings: nobody })
    expect(proposed(crowd('a b'), { min: 1, max: 1 }).groups).toEqual(['a', 'b'])
  })

  test('[M3] roles may hold fewer people than the group may have', () => {
    const roles = [quota('x', 0, 1), quota('y', 0, 1)]
    expect(proposed(crowd('a b c'), { min: 2, max: 4, roles }).groups).toEqual(['a:x b:y'])
  })
})

describe('with a deadline', () => {
  const settings = { min: 2, max: 3, deadlineMs: 100 }

  test('[M4] the largest group starts at once, a smaller one when the deadline of the oldest has passed', () => {
    expect(proposed(crowd('a b c d'), settings, { now: 99 }).groups).toEqual(['a b c'])
    expect(proposed(crowd('a b'), settings, { now: 99 }).groups).toEqual([])
    expect(proposed(crowd('a b'), settings, { now: 100 }).groups).toEqual(['a b'])
    expect(proposed(crowd('a b c d'), settings, { now: 100 }).groups).toEqual(['a b c'])
  })

  test('[M5] wait: people who are too few keep waiting, and start as soon as enough fit', () => {
    expect(proposed(crowd('a'), settings, { now: 500 })).toEqual({ groups: [], endings: nobody })
    expect(proposed([...crowd('a'), person('z', 500)], settings, { now: 500 }).groups).toEqual(['a z'])
  })

  test('[M6] start_short: those who fit start, and anyone left alone is ended', () => {
    const short = { min: 3, max: 4, deadlineMs: 100, onDeadline: 'start_short' } as const
    expect(proposed(crowd('a b'), short, { now: 99 })).toEqual({ groups: [], endings: nobody })
    expect(proposed(crowd('a b'), short, { now: 100 })).toEqual({ groups: ['a b'], endings: nobody })
    expect(proposed(crowd('a'), short, { now: 100 })).toEqual({ groups: [], endings: { a: 'deadline' } })
  })

  test('[M6] [M13] a short group keeps the minima of roles', () => {
    const roles = [quota('leader', 1, 1), quota('member')]
    const short = { min: 3, max: 3, deadlineMs: 100, onDeadline: 'start_short', roles } as const
    expect(proposed(crowd('a:member b:leader'), short, { now: 100 }).groups).toEqual(['a:member b:leader'])
    expect(proposed(crowd('a:member b:member'), short, { now: 101 })).toEqual({
      groups: [],
      endings: { a: 'deadline', b: 'deadline' },
    })
  })

  test('[M7] fill_with_agent: agents take the seats up to the smallest group', () => {
    const filled = { min: 3, max: 4, deadlineMs: 100, onDeadline: 'fill_with_agent' } as const
    expect(proposed(crowd('a b'), filled, { now: 99 }).groups).toEqual([])
    expect(proposed(crowd('a b'), filled, { now: 100 }).groups).toEqual(['a b +participant'])
    expect(proposed(crowd('a'), filled, { now: 100 }).groups).toEqual(['a +participant +participant'])
    expect(proposed(crowd('a b c'), filled, { now: 100 }).groups).toEqual(['a b c'])
  })

  test('[M7] [M13] agents take unmet minima first, even in a group that is large enough', () => {
    const roles = [quota('buyer', 1, 3), quota('seller', 1, 1)]
    const filled = { min: 2, max: 4, deadlineMs: 100, onDeadline: 'fill_with_agent', roles } as const
    expect(proposed(crowd('a:buyer b:buyer c:buyer d:buyer'), filled, { now: 100 }).groups).toEqual([
      'a:buyer b:buyer c:buyer +seller',
    ])
    expect(proposed(crowd('a'), filled, { now: 100 }).groups).toEqual(['a:buyer +seller'])
    expect(proposed(crowd('a:seller'), filled, { now: 100 }).groups).toEqual(['a:seller +buyer'])
  })

  test('[M8] end_paid: people whose own deadline has passed are ended, the others keep waiting', () => {
    const paid = { min: 4, max: 4, deadlineMs: 100, onDeadline: 'end_paid' } as const
    expect(proposed(crowd('a b c'), paid, { now: 101 })).toEqual({
      groups: [],
      endings: { a: 'deadline', b: 'deadline' },
    })
  })

  test('[M9] people no group could ever include are ended at the deadline', () => {
    const roles = [quota('a', 1, 1), quota('b', 1, 1), quota('c')]
    for (const onDeadline of ['start_short', 'fill_with_agent', 'end_paid'] as const)
      expect(proposed(crowd('x:c'), { deadlineMs: 100, onDeadline, roles }, { now: 100 })).toEqual({
        groups: [],
        endings: { x: 'deadline' },
      })
  })

  test('[M10] when the experiment closes, nobody keeps waiting', () => {
    const closing = { isClosing: true }
    const size = { min: 3, max: 4 }
    expect(proposed(crowd('a b c'), { ...size, deadlineMs: 100 }, closing).groups).toEqual(['a b c'])
    expect(proposed(crowd('a b'), size, closing).endings).toEqual({ a: 'closed', b: 'closed' })
    const policy = (onDeadline: 'start_short' | 'fill_with_agent' | 'end_paid') =>
      proposed(crowd('a b'), { ...size, deadlineMs: 100, onDeadline }, closing)
    expect(policy('start_short').groups).toEqual(['a b'])
    expect(policy('fill_with_agent').groups).toEqual(['a b +participant'])
    expect(policy('end_paid').endings).toEqual({ a: 'deadline', b: 'deadline' })
  })
})
