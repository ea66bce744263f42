import { readFileSync } from 'node:fs'
import type { ExperimentDefinition, Payment } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { component, group, slider, state } from '../test/played-room.ts'
import { soundDefinition } from '../test/sound-definition.ts'
import { forecastPayments } from './forecast-payments.ts'

const example = (name: string): ExperimentDefinition =>
  JSON.parse(readFileSync(new URL(`../../../../../../examples/${name}.json`, import.meta.url), 'utf8'))

const own = { scope: 'participant' as const, initial: 0 }
const study = (payment: Payment, more: Partial<ExperimentDefinition> = {}) =>
  soundDefinition({
    name: 'Study',
    states: [state('rate', { components: [{ ...slider, saveTo: 'points' }] })],
    variables: { points: own },
    completion: { payment },
    ...more,
  })

describe('The forecast of payments', () => {
  test('[R64] is about people who play to the end, and its total is for as many as are wanted', () => {
    const found = forecastPayments(study({ currency: 'EUR', base: 1, bonus: 'points', rate: 0.1 }), 500)
    expect(found).toMatchObject({
      currency: 'EUR',
      people: 500,
      simulated: 200,
      paid: 200,
      unpaid: 0,
      unknown: 0,
    })
    const { mean, lowest, highest } = found.perPerson ?? { mean: 0, lowest: 0, highest: 0 }
    // From 0 to 100 points at random: 1 to 11 euros, 6 on average, with a standard error of 0.2.
    expect(mean).toBeGreaterThan(5)
    expect(mean).toBeLessThan(7)
    expect(lowest).toBeGreaterThanOrEqual(1)
    expect(highest).toBeLessThanOrEqual(11)
    expect(found.total).toBeGreaterThan(500 * mean - 3)
    expect(found.total).toBeLessThan(500 * mean + 3)
  })

  test('[R64,RM196] answers about each of the others, within what the settings from values allow', () => {
    const gift = component('gift', 'slider', { forEach: 'others', max: '{{most}}' })
    const found = forecastPayments(
      study(
        { currency: 'EUR', base: 1, bonus: 'points' },
        {
          ...group([state('give', { components: [gift], onEnd: { points: 'sum(received.gift)' } })]),
          matching: { groupSize: 3 },
          variables: { points: own, most: 4 },
        },
      ),
      90,
    )
    // From two others, 0 to 4 each.
    const { mean, highest } = found.perPerson ?? { mean: 0, highest: 0 }
    expect(mean).toBeGreaterThan(4)
    expect(mean).toBeLessThan(6)
    expect(highest).toBeLessThanOrEqual(9)
  })

  test('[R64,R68] people go through the stages with what they have earned so far', () => {
    const earn = (id: string, points: string) => state(id, { components: [slider], onEnd: { points } })
    const found = forecastPayments(
      {
        name: 'Stages',
        variables: { points: own },
        completion: { payment: { currency: 'EUR', bonus: 'points' } },
        stages: [
          { id: 'one', states: [earn('first', '2')] },
          { id: 'two', matching: { groupSize: 3 }, states: [earn('second', 'points * 5')] },
        ],
      },
      60,
    )
    // 200 people make 66 groups of three.
    expect(found).toMatchObject({
      simulated: 198,
      perPerson: { mean: 10, lowest: 10, highest: 10 },
      total: 600,
    })
  })

  test('[R64] is the same each time it is made', () => {
    const made = () => forecastPayments(example('one-random-round'), 80)
    expect(made()).toEqual(made())
  })

  test('[R64] plays a whole example: between 2 euros and what 40 points are worth', () => {
    const found = forecastPayments(example('one-random-round'), 80)
    expect(found).toMatchObject({ simulated: 200, paid: 200, unpaid: 0, unknown: 0, currency: 'EUR' })
    expect(found.perPerson?.lowest).toBeGreaterThanOrEqual(2)
    expect(found.perPerson?.highest).toBeLessThanOrEqual(6)
    expect(new Set(Object.values(found.perPerson ?? {})).size).toBe(3)
  })

  test.each([
    'public-goods',
    'public-goods-with-agents',
    'negotiation',
    'quick-survey',
    'picture-rating',
    'stroop',
    'film-ratings',
    'vignette-survey',
  ])('[R64] %s is played to its end: checks are passed, agents play too, and clocks run', (name) => {
    const definition = example(name)
    const payment = { currency: 'EUR', base: 2 }
    const found = forecastPayments({ ...definition, completion: { ...definition.completion, payment } }, 100)
    expect(found).toMatchObject({ unpaid: 0, unknown: 0, total: 200 })
    expect(found.paid).toBe(found.simulated)
    expect(found.simulated).toBeGreaterThan(20)
  })

  test('[R64] counts those who are not paid, or by what is no number', () => {
    const ends = { states: [state('only', { next: [{ to: 'end', outcome: 'OUT' }] })] }
    const screened = study({ currency: 'EUR', base: 1 }, ends)
    expect(forecastPayments(screened, 10)).toMatchObject({
      unpaid: 200,
      paid: 0,
      perPerson: null,
      total: null,
    })
    const named = study(
      { currency: 'EUR', bonus: 'name' },
      { variables: { points: own, name: { ...own, initial: 'x' } } },
    )
    expect(forecastPayments(named, 10)).toMatchObject({ unknown: 200, paid: 0, total: null })
  })

  test('[R64] a study that never ends by itself, and one that is too large, end the forecast, not the server', () => {
    const endless = study(
      { currency: 'EUR', base: 1 },
      { states: [state('stuck', { end: { on: 'condition', when: 'points > 1000' } })] },
    )
    expect(forecastPayments(endless, 10)).toMatchObject({ simulated: 200, paid: 200 })
    const crowd = group(
      [state('rate', { components: [component('rate', 'slider')], end: { on: 'all_responded' } })],
      {
        name: 'Crowd',
        matching: { groupSize: 1_000 },
        completion: { payment: { currency: 'EUR', base: 1 } },
      },
    )
    expect(forecastPayments(soundDefinition(crowd), 10, { left: 5_000 })).toMatchObject({
      simulated: 0,
      total: null,
    })
  })

  test('[R64] a study without a payment has none', () => {
    expect(() => forecastPayments(study({ currency: 'EUR' }, { completion: {} }), 10)).toThrow(
      'completion/payment',
    )
  })
})
