import type { ExperimentDefinition, Payment } from '@atrium/contract'
import { expect, test } from 'vitest'
import { checkOnSaving } from '../check-on-saving.ts'

const study = (payment: Payment, change: Partial<ExperimentDefinition> = {}): ExperimentDefinition => ({
  name: 'Study',
  variables: {
    earned: { scope: 'participant', initial: 0 },
    pot: 0,
    name: { scope: 'participant', initial: '' },
    mood: { scope: 'participant' },
  },
  states: [
    { id: 'practice', components: [] },
    { id: 'give', components: [{ id: 'mood', type: 'text_input', saveTo: 'mood' }] },
    { id: 'last', components: [] },
  ],
  blocks: [{ id: 'game', states: ['give'], rounds: 3 }],
  completion: { payment },
  ...change,
})

function findingsOf(payment: Payment, change: Partial<ExperimentDefinition> = {}): string[] {
  const checked = checkOnSaving(study(payment, change))
  const findings = 'issues' in checked ? checked.issues : checked.warnings
  return findings.map(({ path, message }) => `${path}: ${message}`)
}

const pick = { rounds: 1, of: 'earned' }

test('[R64,F60] a payment that can be made is accepted', () => {
  expect(findingsOf({ currency: 'EUR', base: 2, pick, rate: 0.1, min: 1, max: 9.5, rounding: 'up' })).toEqual(
    [],
  )
  expect(findingsOf({ currency: 'JPY', bonus: 'pot', rate: 12.5, max: 500 })).toEqual([])
})

test.each<[string, Payment, string]>([
  [
    'a currency that does not exist',
    { currency: 'EUU' },
    '/currency: there is no currency ‘EUU’; did you mean',
  ],
  [
    'a variable that does not exist',
    { currency: 'EUR', pick: { ...pick, of: 'earnd' } },
    '/pick/of: variable ‘earnd’ does not exist; did you mean ‘earned’?',
  ],
  [
    'a room variable',
    { currency: 'EUR', pick: { ...pick, of: 'pot' } },
    '/pick/of: ‘pot’ is a room variable',
  ],
  [
    'a variable that begins with text',
    { currency: 'EUR', pick: { ...pick, of: 'name' } },
    '/pick/of: ‘name’ begins with something that is no number',
  ],
  [
    'a variable that is answered with text',
    { currency: 'EUR', pick: { ...pick, of: 'mood' } },
    '/pick/of: ‘mood’ holds the answer to ‘mood’, which is text',
  ],
  [
    'more rounds than there are',
    { currency: 'EUR', pick: { ...pick, rounds: 4 } },
    '/pick/rounds: cannot draw 4 rounds: there are only 3 in the study',
  ],
  [
    'an unknown block',
    { currency: 'EUR', pick: { ...pick, block: 'gam' } },
    '/pick/block: block ‘gam’ does not exist; did you mean ‘game’?',
  ],
  [
    'a bonus and a pick',
    { currency: 'EUR', bonus: 'earned', pick },
    '/bonus: the bonus is either this variable or the rounds of ‘pick’',
  ],
  ['a rate of nothing', { currency: 'EUR', base: 3, rate: 2 }, '/rate: there is nothing to multiply'],
  ['a minimum above the maximum', { currency: 'EUR', min: 3, max: 2 }, '/min: is more than the maximum of 2'],
  ['a base above the maximum', { currency: 'EUR', base: 3, max: 2 }, '/max: is less than the base of 3'],
  [
    'a bound that cannot be paid',
    { currency: 'JPY', min: 0.5 },
    '/min: 0.5 cannot be paid: JPY has no decimals',
  ],
])('[R64,F60] %s is refused with what is wrong', (_what, payment, message) => {
  expect(findingsOf(payment)).toEqual([expect.stringContaining(`/completion/payment${message}`)])
})

test('[R64,F61] a study without rounds has none to draw, and several blocks with rounds cause a warning', () => {
  const payment = { currency: 'EUR', pick }
  expect(findingsOf(payment, { blocks: [{ id: 'game', states: ['give'] }] })).toEqual([
    expect.stringContaining('/completion/payment/pick: no block of the study has rounds'),
  ])
  const blocks = [
    { id: 'game', states: ['give'], rounds: 3 },
    { id: 'try', states: ['practice'], rounds: 2 },
  ]
  expect(findingsOf(payment, { blocks })).toEqual([
    expect.stringContaining('rounds of ‘try’ and ‘game’ are drawn alike; name one of them'),
  ])
  expect(findingsOf({ currency: 'EUR', pick: { ...pick, block: 'game' } }, { blocks })).toEqual([])
})

const showing = (text: string, completion: ExperimentDefinition['completion'], more: object = {}) => {
  const checked = checkOnSaving({
    ...study({ currency: 'EUR' }),
    completion,
    states: [{ id: 'give', components: [{ id: 'note', type: 'text', text }] }],
    ...more,
  })
  return 'issues' in checked ? checked.issues.map(({ path, message }) => `${path} ${message}`) : []
}

test('[R64,F63] a text can show the payment that the study declares', () => {
  const picking = { payment: { currency: 'EUR', pick } }
  expect(showing('{{payment.amount | EUR}} for {{payment.rounds}}', picking)).toEqual([])
  expect(showing('{{payment.amount}}', { payment: { currency: 'EUR', base: 2 } })).toEqual([])
  expect(showing('{{payment.amount}}', {})).toEqual([
    expect.stringContaining('the study declares no payment; add ‘payment’ to ‘completion’'),
  ])
  expect(showing('{{payment.rounds}}', { payment: { currency: 'EUR', base: 2 } })).toEqual([
    expect.stringContaining('‘rounds’ is not part of a payment that draws no rounds'),
  ])
  expect(showing('{{payment.amuont}}', picking)).toEqual([expect.stringContaining('did you mean ‘amount’?')])
})

test('[R64,F63] nothing that is computed can read the payment', () => {
  const computed = { variables: { earned: { scope: 'participant', compute: 'payment.amount * 2' } } }
  expect(showing('', { payment: { currency: 'EUR', bonus: 'earned' } }, computed)).toEqual([
    expect.stringContaining(
      '‘payment.amount’ cannot be used here: what somebody has earned can be shown in texts',
    ),
  ])
  const called = { variables: { payment: { initial: { amount: 3 } } } }
  expect(showing('{{payment.amount}}', {}, called)).toEqual([])
})

test('[F185] of blocks in blocks, only the outermost can be named', () => {
  const blocks = [
    { id: 'whole', states: ['game', 'last'], rounds: 2 },
    { id: 'game', states: ['give'], rounds: 3 },
  ]
  const paying = (block: string) => findingsOf({ currency: 'EUR', pick: { ...pick, block } }, { blocks })
  expect(paying('whole')).toEqual([])
  expect(paying('game')).toEqual([
    '/completion/payment/pick/block: block ‘game’ is within ‘whole’, and only rounds of the outermost can be paid; name ‘whole’',
  ])
})
