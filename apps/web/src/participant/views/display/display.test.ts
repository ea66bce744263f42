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

  it('is announced only now and then, and each time truly', () => {
    const since = (leftMs: number) => announcementOf(leftMs, 400_000)
    expect(since(299_000)).toBe('5 minutes left')
    expect(since(60_000)).toBe('1 minute left')
    expect(since(9_000)).toBe('10 seconds left')
    for (const between of [390_000, 179_000, 45_000, 20_000, 4_000]) expect(since(between)).toBe('')
    expect(since(0)).toBe('')
  })

  it('tells people who arrive in between how much is left then', () => {
    expect(announcementOf(179_400, 179_400)).toBe('')
    expect(announcementOf(179_000, 179_400)).toBe('3 minutes left')
    expect(announcementOf(199_700, 200_000)).toBe('3 minutes, 20 seconds left')
    expect(announcementOf(41_800, 42_000)).toBe('42 seconds left')
    expect(announcementOf(170_000, 179_400)).toBe('')
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
