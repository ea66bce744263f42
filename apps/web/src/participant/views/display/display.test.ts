import { describe, expect, it } from 'vitest'
import { amountText } from './amount.ts'
import { announcementOf, clockFace } from './clock-face.ts'

describe('a clock', () => {
  it.each([
    [65_000, 'down', '1:05'],
    [100, 'down', '0:01'],
    [0, 'down', '0:00'],
    [-400, 'down', '0:00'],
    [65_900, 'up', '1:05'],
    [3_725_000, 'up', '1:02:05'],
  ] as const)('%i ms %s is %s', (ms, direction, face) => expect(clockFace(ms, direction)).toBe(face))

  it('is announced only now and then', () => {
    expect(announcementOf(400_000)).toBe('')
    expect(announcementOf(299_000)).toBe('5 minutes left')
    expect(announcementOf(60_000)).toBe('1 minute left')
    expect(announcementOf(9_000)).toBe('10 seconds left')
    for (const between of [179_000, 45_000, 20_000, 4_000]) expect(announcementOf(between)).toBe('')
    expect(announcementOf(0)).toBe('')
  })
})

describe('a payoff', () => {
  it('is money if it has a currency, otherwise a number with its unit', () => {
    expect(amountText(4.5, { currency: 'EUR' }, 'en-US')).toBe('€4.50')
    expect(amountText(300, { currency: 'JPY' }, 'en-US')).toBe('¥300')
    expect(amountText(1200, { unit: 'points' }, 'en-US')).toBe('1,200 points')
    expect(amountText(2, { decimals: 2 }, 'en-US')).toBe('2.00')
  })

  it('shows text as it is, and a dash for nothing', () => {
    expect(amountText('a voucher', {}, 'en-US')).toBe('a voucher')
    expect(amountText(undefined, { currency: 'EUR' }, 'en-US')).toBe('–')
  })

  it('shows each value of a list, with the unit once', () => {
    expect(amountText([12, 0, 20], { unit: 'points' }, 'en-US')).toBe('12, 0, 20 points')
    expect(amountText([1, 2.5], { currency: 'EUR' }, 'en-US')).toBe('€1.00, €2.50')
    expect(amountText([], { unit: 'points' }, 'en-US')).toBe('–')
  })
})
