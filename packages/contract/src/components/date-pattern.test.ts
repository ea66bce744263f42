import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../random.ts'
import { drawDate, patternOfDates } from './date-pattern.ts'

const seed = Number(process.env.TEST_SEED ?? 20_260_101)
const date = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((one) => one.toISOString().slice(0, 10))

test('the pattern accepts exactly the dates between two others', () => {
  fc.assert(
    fc.property(date, date, date, (one, other, any) => {
      const [from = '', to = ''] = [one, other].sort()
      const pattern = new RegExp(patternOfDates(from, to), 'u')
      for (const tried of [from, to, any]) expect(pattern.test(tried)).toBe(tried >= from && tried <= to)
    }),
    { seed, numRuns: 2_000 },
  )
})

test('dates next to each other are told apart', () => {
  const pattern = new RegExp(patternOfDates('2024-02-29', '2024-03-01'))
  const tried = ['2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02', '2023-02-29', '2025-03-01']
  expect(tried.filter((each) => pattern.test(each))).toEqual(['2024-02-29', '2024-03-01'])
})

test('a date drawn from the pattern is between the two', () => {
  fc.assert(
    fc.property(date, date, fc.string(), (one, other, drawSeed) => {
      const [from = '', to = ''] = [one, other].sort()
      const drawn = drawDate(patternOfDates(from, to), seededRandom(drawSeed))
      expect(drawn >= from && drawn <= to).toBe(true)
    }),
    { seed, numRuns: 500 },
  )
})
