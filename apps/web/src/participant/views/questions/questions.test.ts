import { responseSchemaOf } from '@atrium/contract/components'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import type { Option } from '../settings/options.ts'
import { amountIn } from './amount-field.tsx'
import { answerFrom, choicesIn, countHint, countOf, withOther, withValue } from './choices.ts'
import { chosenIn, withCell } from './matrix.tsx'
import { moved, placeAt, rankedItems } from './ranking-order.ts'
import { labelCrowding } from './scale-line.tsx'
import { marksOf, onLine, onStep } from './steps.ts'
import { answerTyped, lengthHint, numberFrom, numberHint } from './typed-text.ts'

const option = (value: string | number): Option => ({
  value,
  label: String(value),
  image: undefined,
  alt: '',
})
const options = ['a', 'b', 3].map(option)

const fits = (component: Record<string, unknown>, answer: unknown) => {
  const schema = responseSchemaOf(component)
  return schema !== undefined && Value.Check(schema, answer)
}

describe('choices', () => {
  const several = { multiple: true, minChoices: 1, options }
  const one = { multiple: false, minChoices: 1, options }
  const none = choicesIn(undefined)

  it('become an answer that the contract accepts', () => {
    const component = { id: 'q', type: 'multiple_choice', options: ['a', 'b', 3], allowOther: true }
    expect(fits(component, answerFrom(withValue(none, 3, false), one))).toBe(true)
    expect(fits(component, answerFrom(withOther(none, 'mine', false), one))).toBe(true)
    const list = answerFrom(withOther(withValue(withValue(none, 3, true), 'a', true), 'mine', true), several)
    expect(list).toEqual(['a', 3, { other: 'mine' }])
    expect(fits({ ...component, multiple: true }, list)).toBe(true)
  })

  it('are read back from their answer', () => {
    expect(choicesIn(['a', { other: 'mine' }])).toEqual({ values: ['a'], other: 'mine' })
    expect(choicesIn({ other: '' })).toEqual({ values: [], other: '' })
    expect(choicesIn(3)).toEqual({ values: [3], other: undefined })
  })

  it('replace each other, and an answer of one’s own, if only one is allowed', () => {
    expect(answerFrom(withValue(choicesIn('a'), 'b', false), one)).toBe('b')
    expect(answerFrom(withValue(choicesIn({ other: 'mine' }), 'b', false), one)).toBe('b')
    expect(answerFrom(withOther(choicesIn('a'), '', false), one)).toEqual({ other: '' })
  })

  it('of several are cleared one by one; with none left there is no answer, unless none is allowed', () => {
    const both = choicesIn(['a', 'b'])
    expect(answerFrom(withValue(both, 'a', true), several)).toEqual(['b'])
    expect(answerFrom(withValue(choicesIn(['b']), 'b', true), several)).toBeUndefined()
    expect(answerFrom(none, { ...several, minChoices: 0 })).toEqual([])
    expect(countOf(withOther(both, 'mine', true))).toBe(3)
  })

  it.each([
    [1, 4, 4, 'Choose all that apply.'],
    [2, 4, 4, 'Choose at least 2.'],
    [2, 3, 4, 'Choose 2 to 3.'],
    [1, 3, 4, 'Choose up to 3.'],
    [2, 2, 4, 'Choose 2.'],
  ])('at least %i, at most %i of %i: “%s”', (min, max, available, hint) => {
    expect(countHint(min, max, available)).toBe(hint)
  })
})

describe('what is typed', () => {
  it.each([
    ['34', 34],
    [' -2.5 ', -2.5],
    ['3,5', 3.5],
    ['.5', 0.5],
    ['1.', 1],
    ['−4', -4],
    ['1,000', undefined],
    ['12a', undefined],
    ['1e5', undefined],
    ['-', undefined],
  ])('%j is the number %s', (typed, number) => expect(numberFrom(typed)).toBe(number))

  it('is a number where a number is asked for, otherwise text; nothing typed is no answer', () => {
    expect(amountIn('34')).toBe(34)
    expect(amountIn('many')).toBe('many')
    expect(amountIn('  ')).toBeUndefined()
    expect(answerTyped('paragraph', ' two\nlines ')).toBe(' two\nlines ')
    expect(answerTyped('short', '')).toBeUndefined()
  })

  it('is a single line where the contract requires one', () => {
    const answer = answerTyped('short', 'from a\ttable')
    expect(answer).toBe('from a table')
    expect(fits({ id: 'q', type: 'text_input' }, answer)).toBe(true)
  })

  it('has a hint about its limits', () => {
    expect(numberHint({ min: 18, max: 120, integer: true })).toBe('A whole number from 18 to 120.')
    expect(numberHint({ min: 0, max: 5, integer: false, step: 0.5 })).toBe(
      'A number from 0 to 5. In steps of 0.5.',
    )
    expect(numberHint({ min: 0, max: 5, integer: false, decimals: 2 })).toBe(
      'A number from 0 to 5. Decimal places: up to 2.',
    )
    expect(numberHint({ min: undefined, max: undefined, integer: false })).toBeUndefined()
    expect(lengthHint(20, undefined)).toBe('At least 20 characters.')
    expect(lengthHint(1, undefined)).toBeUndefined()
  })
})

describe('a line', () => {
  it('yields values on its steps, which the contract accepts', () => {
    const component = { id: 'q', type: 'slider', min: 0, max: 1, step: 0.1 }
    expect(onStep(0.31, { min: 0, max: 1, step: 0.1 })).toBe(0.3)
    expect(fits(component, onStep(0.31, { min: 0, max: 1, step: 0.1 }))).toBe(true)
    expect(onStep(12, { min: 0, max: 10, step: 4 })).toBe(8)
    expect(onStep(-3, { min: 0, max: 10, step: 4 })).toBe(0)
  })

  it('without steps has a thousand positions', () => {
    expect(onLine(33.33333, { min: 0, max: 100 })).toBe(33.3)
    expect(onLine(-0.1234, { min: -1, max: 1 })).toBe(-0.124)
  })

  it('rotates labels that do not fit side by side', () => {
    expect(labelCrowding(['never', 'sometimes', 'always'])).toBe('roomy')
    expect(labelCrowding(['strongly disagree', 'disagree', 'neither', 'agree', 'strongly agree'])).toBe(
      'crowded',
    )
    expect(labelCrowding(Array.from({ length: 21 }, (_, mark) => `mark ${mark}`))).toBe('packed')
  })
})

describe('a ranking', () => {
  it('moves one item and keeps the order of the others', () => {
    expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
    expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c'])
    expect(moved(['a', 'b'], 0, 9)).toEqual(['b', 'a'])
  })

  it('shows the answer, and items that it does not name after it', () => {
    const values = (answer: unknown) => rankedItems(answer, options).map(({ value }) => value)
    expect(values([3, 'a', 'b'])).toEqual([3, 'a', 'b'])
    expect(values(undefined)).toEqual(['a', 'b', 3])
    expect(values(['b', 'b', 'a'])).toEqual(['b', 'a', 3])
    expect(values([3, 'b'])).toEqual([3, 'b', 'a'])
  })

  it('finds the position of a pointer among the other entries', () => {
    expect(placeAt(10, [20, 60, 100])).toBe(0)
    expect(placeAt(70, [20, 60, 100])).toBe(2)
    expect(placeAt(500, [20, 60, 100])).toBe(3)
  })
})

describe('a matrix', () => {
  const columns = ['never', 'often']
  const component = { id: 'q', type: 'matrix', rows: ['read', 7], columns }

  it('records a column for each row', () => {
    const first = withCell({}, 'read', 'often', { multiple: false, columns })
    const both = withCell(first ?? {}, 7, 'never', { multiple: false, columns })
    expect(both).toEqual({ read: 'often', 7: 'never' })
    expect(fits(component, both)).toBe(true)
    expect(fits(component, first)).toBe(false)
    expect(chosenIn(both ?? {}, 7)).toEqual(['never'])
  })

  it('drops a row when it is emptied, and the answer with its last row', () => {
    const rule = { multiple: true, columns }
    const two = withCell({ read: ['often'] }, 'read', 'never', rule)
    expect(two).toEqual({ read: ['never', 'often'] })
    expect(withCell({ read: ['often'], 7: ['never'] }, 7, 'never', rule)).toEqual({ read: ['often'] })
    expect(withCell({ read: ['often'] }, 'read', 'often', rule)).toBeUndefined()
  })
})

describe('the numbers below a line', () => {
  it.each([
    [{ min: 0, max: 100, ticks: undefined }, [0, 100]],
    [{ min: 0, max: 1, ticks: 0.25 }, [0, 0.25, 0.5, 0.75, 1]],
    [{ min: 1, max: 10, ticks: 4 }, [1, 5, 9, 10]],
    [{ min: 0, max: 0.3, ticks: 0.1 }, [0, 0.1, 0.2, 0.3]],
  ])('%j: %j', (settings, expected) => {
    expect(marksOf(settings)).toEqual(expected)
  })
})
