import { expect, test } from 'vitest'
import { texts } from './console.ts'
import { createPlurals } from './plurals.ts'

const { number, share, bytes, ago, duration, latency, money, places } = texts().format

test('large numbers are grouped', () => {
  expect(number(1_234_567)).toBe('1,234,567')
})

test('an experiment without a capacity has unlimited places', () => {
  expect(places(2_147_483_647)).toBe('unlimited')
  expect(places(0)).toBe('0')
  expect(places(1_200)).toBe('1,200')
})

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 KB'],
  [1_550_000, '1.6 MB'],
  [3_000_000_000, '3 GB'],
])('%i bytes read as %s', (count, text) => {
  expect(bytes(count)).toBe(text)
})

test('a share of nothing is not a number', () => {
  expect(share(0, 0)).toBe('–')
  expect(share(1, 8)).toBe('12.5%')
})

test('a count takes the plural form that its language has for it', () => {
  const english = createPlurals('en')
  expect(english.count(1, { one: 'person', other: 'people' })).toBe('1 person')
  expect(english.count(2_000, { one: 'room', other: 'rooms' })).toBe('2,000 rooms')
  const polish = createPlurals<'one' | 'few' | 'many'>('pl')
  expect(polish.count(3, { one: 'osoba', few: 'osoby', many: 'osób', other: 'osoby' })).toBe('3 osoby')
  expect(polish.count(5, { one: 'osoba', few: 'osoby', many: 'osób', other: 'osoby' })).toBe('5 osób')
})

const now = Date.UTC(2026, 7, 3, 12)

test.each([
  [-2_000, 'just now'],
  [0, 'just now'],
  [4_999, 'just now'],
  [12_000, '12 seconds ago'],
  [60_000, '1 minute ago'],
  [3 * 3_600_000 + 59 * 60_000, '3 hours ago'],
  [24 * 3_600_000, 'yesterday'],
  [5 * 24 * 3_600_000, '5 days ago'],
])('%i ms before now is “%s”', (passed, text) => {
  expect(ago(now - passed, now)).toBe(text)
})

test.each([
  [0, '0 s'],
  [4_230, '4.2 s'],
  [59_900, '1 min'],
  [150_000, '2 min 30 s'],
  [3_599_900, '1 h'],
  [3_900_000, '1 h 05 min'],
  [90_000_000, '25 h'],
])('%i ms read as “%s”', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test.each([
  [0, '0 ms'],
  [412.6, '413 ms'],
  [2_340, '2.3 s'],
  [90_000, '1 min 30 s'],
])('a latency of %d ms reads as “%s”', (ms, text) => {
  expect(latency(ms)).toBe(text)
})

test.each([
  [0, '0.00'],
  [12.5, '12.50'],
  [0.000_426, '0.00043'],
])('an amount of %d reads as “%s”', (amount, text) => {
  expect(money(amount)).toBe(text)
})
