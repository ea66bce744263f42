import { expect, test } from 'vitest'
import { counted, formatBytes, formatNumber, formatPlaces, formatShare } from './numbers.ts'

test('large numbers are grouped', () => {
  expect(formatNumber(1_234_567)).toBe('1,234,567')
})

test('an experiment without a capacity has unlimited places', () => {
  expect(formatPlaces(2_147_483_647)).toBe('unlimited')
  expect(formatPlaces(0)).toBe('0')
  expect(formatPlaces(1_200)).toBe('1,200')
})

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 KB'],
  [1_550_000, '1.6 MB'],
  [3_000_000_000, '3 GB'],
])('%i bytes read as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test('a share of nothing is not a number', () => {
  expect(formatShare(0, 0)).toBe('–')
  expect(formatShare(1, 8)).toBe('12.5%')
})

test('one is singular', () => {
  expect(counted(1, 'person', 'people')).toBe('1 person')
  expect(counted(2_000, 'room')).toBe('2,000 rooms')
})
