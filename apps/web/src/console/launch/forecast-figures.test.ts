import { expect, test } from 'vitest'
import { forecastFigures, forecastNotes, peopleIn } from './forecast-figures.ts'

const forecast = {
  ...{ currency: 'EUR', people: 80, simulated: 200, paid: 200, unpaid: 0, unknown: 0 },
  perPerson: { mean: 3.5, lowest: 2, highest: 6 },
  total: 280,
}

test('[R64] the forecast shows the total for the people who are wanted, the mean and the range', () => {
  expect(forecastFigures(forecast).map(({ value, note }) => [value, note])).toEqual([
    ['€280.00', 'for 80 people'],
    ['€3.50', 'per person'],
    ['€2.00 – €6.00', 'per person'],
  ])
  expect(forecastFigures({ ...forecast, currency: 'JPY' })[0]?.value).toBe('JP¥280')
  expect(forecastFigures({ ...forecast, perPerson: null, total: null })).toEqual([])
})

test('[R64] it says how many simulated people it is from, and what is wrong with the payment', () => {
  expect(forecastNotes(forecast)).toMatchObject({
    basis: expect.stringContaining('From 200 simulated people'),
    warnings: [],
  })
  const none = { ...forecast, paid: 0, perPerson: null, total: null }
  expect(forecastNotes({ ...none, unknown: 200 }).warnings).toEqual([expect.stringContaining('no number')])
  expect(forecastNotes({ ...none, unpaid: 200 }).warnings).toEqual([
    expect.stringContaining('Nobody is paid'),
  ])
  expect(forecastNotes({ ...forecast, paid: 190, unpaid: 10 }).warnings).toEqual([
    expect.stringContaining('10 of 200'),
  ])
  expect(forecastNotes({ ...none, simulated: 0 })).toEqual({
    basis: expect.stringContaining('too large'),
    warnings: [],
  })
})

test('a number of people is whole and at least one', () => {
  expect([peopleIn(80), peopleIn('80'), peopleIn(1_000_000)]).toEqual([80, 80, 1_000_000])
  expect([peopleIn(''), peopleIn(0), peopleIn(1.5), peopleIn(1_000_001), peopleIn('x')]).toEqual(
    [1, 2, 3, 4, 5].map(() => undefined),
  )
})
