import { describe, expect, test } from 'vitest'
import { evaluateResponse } from './catalogue.ts'
import type { Settings } from './component-type.ts'

const evaluate = (component: Settings, value: unknown, { elapsedMs = 0, attempt = 1 } = {}) =>
  evaluateResponse({ id: 'c', ...component }, value, { elapsedMs, attempt })

test('a single answer is accepted and final; a sample of a stream is not final', () => {
  expect(evaluate({ type: 'slider' }, 5)).toEqual({ kind: 'accepted', isFinal: true })
  expect(evaluate({ type: 'continuous_rating' }, [{ t: 0, value: 1 }])).toEqual({
    kind: 'accepted',
    isFinal: false,
  })
})

test('a display component does not accept responses', () => {
  expect(evaluate({ type: 'chat' }, 'hello')).toMatchObject({ kind: 'refused' })
})

describe('multiple choice', () => {
  const options = ['a', 'b', 'c']

  test('without a key is not scored', () => {
    expect(evaluate({ type: 'multiple_choice', options }, 'a')).toEqual({ kind: 'accepted', isFinal: true })
  })

  test.each<[Settings, unknown, number]>([
    [{ correct: 'a' }, 'a', 1],
    [{ correct: 'a' }, 'b', 0],
    [{ correct: ['a', 'b'] }, 'b', 1],
    [{ correct: ['a', 'b'], multiple: true }, ['b', 'a'], 1],
    [{ correct: ['a', 'b'], multiple: true }, ['a'], 0],
    [{ correct: ['a', 'b'], multiple: true }, ['a', 'b', 'c'], 0],
    [{ correct: 'a', multiple: true }, ['a'], 1],
    [{ correct: 'a', allowOther: true }, { other: 'a' }, 0],
  ])('%j answered with %j scores %i', (settings, value, score) => {
    expect(evaluate({ type: 'multiple_choice', options, ...settings }, value)).toEqual({
      kind: 'accepted',
      isFinal: true,
      score,
    })
  })

  test('tells the participant the result only with feedback', () => {
    const component = { type: 'multiple_choice', options, correct: 'a', feedback: true }
    expect(evaluate(component, 'b')).toMatchObject({ score: 0, result: { correct: false } })
  })
})

describe('comprehension check', () => {
  const questions = [
    { id: 'q1', options: ['x', 'y'], correct: 'x' },
    { id: 'q2', correct: [10, 'ten'] },
    { id: 'q3', options: [1, 2, 3], multiple: true, correct: [1, 2] },
  ]
  const right = { answers: { q1: 'x', q2: '10', q3: [2, 1] } }
  const wrong = { answers: { q1: 'y', q2: 10, q3: [1] } }
  const check = { type: 'instructions', questions, maxAttempts: 2 }

  test('passes if all answers are correct', () => {
    expect(evaluate(check, right)).toEqual({
      kind: 'accepted',
      isFinal: true,
      score: 3,
      result: { passed: true, attemptsLeft: 1, wrong: [] },
    })
  })

  test('names the wrong questions while attempts are left', () => {
    expect(evaluate(check, wrong)).toEqual({
      kind: 'accepted',
      isFinal: false,
      score: 1,
      result: { passed: false, attemptsLeft: 1, wrong: ['q1', 'q3'] },
    })
  })

  test('ends after the last attempt and reveals nothing more', () => {
    expect(evaluate(check, wrong, { attempt: 2 })).toEqual({
      kind: 'accepted',
      isFinal: true,
      score: 1,
      result: { passed: false, attemptsLeft: 0 },
    })
    expect(evaluate(check, right, { attempt: 3 })).toMatchObject({ kind: 'refused' })
  })

  test('ends the experiment only after the last failed attempt, and only with onFail: end', () => {
    const ending = { ...check, onFail: 'end' }
    expect(evaluate(ending, wrong)).not.toHaveProperty('outcome')
    expect(evaluate(ending, wrong, { attempt: 2 })).toMatchObject({ isFinal: true, outcome: 'SCREENED_OUT' })
    expect(evaluate(ending, right, { attempt: 2 })).not.toHaveProperty('outcome')
  })

  test('compares typed answers leniently', () => {
    const typed = (answer: unknown) =>
      evaluate(
        { type: 'instructions', questions: [{ id: 'q', correct: 'Ten Points' }] },
        { answers: { q: answer } },
      )
    expect(typed('  ten points ')).toMatchObject({ result: { passed: true } })
    expect(typed('tenpoints')).toMatchObject({ result: { passed: false } })
  })

  test('treats a malformed answer as wrong', () => {
    expect(evaluate(check, null)).toMatchObject({ score: 0, result: { passed: false } })
  })
})

describe('consent', () => {
  const consent = { type: 'consent', minReadMs: 5_000, requireScroll: true }
  const agreed = { agreed: true, readMs: 60_000, scrolledToEnd: true }

  test('declining is always possible and ends the experiment', () => {
    expect(evaluate(consent, { agreed: false })).toEqual({
      kind: 'accepted',
      isFinal: true,
      outcome: 'NO_CONSENT',
    })
  })

  test('agreeing requires the reading time, by the server’s clock', () => {
    expect(evaluate(consent, agreed, { elapsedMs: 4_999 })).toEqual({
      kind: 'refused',
      message: 'Please read the text first. You can agree in 1 second.',
    })
    expect(evaluate(consent, agreed, { elapsedMs: 5_000 })).toEqual({ kind: 'accepted', isFinal: true })
  })

  test('agreeing requires reading to the end of the text', () => {
    expect(evaluate(consent, { agreed: true }, { elapsedMs: 5_000 })).toMatchObject({ kind: 'refused' })
  })

  test('without requirements, agreeing is enough', () => {
    expect(evaluate({ type: 'consent' }, { agreed: true })).toEqual({ kind: 'accepted', isFinal: true })
  })
})

test('a custom page may send up to 64 KiB of JSON, counted in bytes', () => {
  const ofBytes = (count: number) => 'x'.repeat(count - 2)
  expect(evaluate({ type: 'custom_html' }, ofBytes(65_536))).toEqual({ kind: 'accepted', isFinal: false })
  expect(evaluate({ type: 'custom_html' }, ofBytes(65_537))).toMatchObject({ kind: 'refused' })
  expect(evaluate({ type: 'custom_html' }, 'ß'.repeat(40_000))).toMatchObject({ kind: 'refused' })
})

describe('reactions', () => {
  const component = {
    type: 'reaction_time',
    keys: ['f', { key: 'j', label: 'Right' }],
    trials: [{ text: 'A', correctKey: 'f' }, { text: 'B', correctKey: 'j' }, { text: 'C' }],
  }
  const reaction = {
    trial: 0,
    key: 'f' as string | null,
    rtMs: 400 as number | null,
    correct: true as boolean | null,
    timedOut: false,
    onsetMs: 1_000,
    frameMs: 16.7,
    input: 'keyboard' as string | null,
    hidden: false,
  }
  const late = { trial: 1, key: null, rtMs: null, correct: false, timedOut: true, input: null }
  const block = [
    reaction,
    { ...reaction, ...late, onsetMs: 2_000 },
    { ...reaction, trial: 2, correct: null, onsetMs: 5_000 },
  ]
  const answered = (trials: object[], elapsedMs = 60_000) =>
    evaluate(component, { trials, precision: { frameMs: 16.7, clockStepMs: 0.1 } }, { elapsedMs })
  const changed = (index: number, change: object) =>
    block.map((trial, at) => (at === index ? { ...trial, ...change } : trial))

  test('are scored by the number of correct keys', () => {
    expect(answered(block)).toEqual({ kind: 'accepted', isFinal: true, score: 1 })
    const right = changed(1, { ...reaction, trial: 1, key: 'j', onsetMs: 2_000 })
    expect(answered(right)).toMatchObject({ score: 2 })
  })

  test.each<[string, object[], number?]>([
    ['a trial twice', changed(1, { trial: 0, correct: false })],
    ['a time-out with a key', changed(1, { key: 'j' })],
    ['a reaction without a time', changed(0, { rtMs: null })],
    ['a wrong mark', changed(0, { correct: false })],
    ['a mark where there is no key', changed(2, { correct: true })],
    ['trials in another order', changed(0, { onsetMs: 2_500 })],
    ['a trial during the reaction before it', changed(1, { onsetMs: 1_200 })],
    ['a trial before the time of the one before is over', changed(2, { onsetMs: 3_500 })],
    ['more time than has passed', changed(2, { onsetMs: 90_000 })],
  ])('[R40] that no page sends are refused: %s', (_what, trials) => {
    expect(answered(trials)).toMatchObject({ kind: 'refused' })
  })
})

describe('attention check', () => {
  test.each<[Settings, unknown, boolean]>([
    [{ options: ['never', 'rarely'], correct: 'rarely' }, 'rarely', true],
    [{ options: ['never', 'rarely'], correct: 'rarely' }, 'never', false],
    [{ options: ['a', 'b', 'c'], correct: ['a', 'b'] }, 'b', true],
    [{ correct: 'Blue' }, '  blue ', true],
    [{ correct: 'Blue' }, 'red', false],
  ])('%j answered with %j: passed is %s, which is stored and not told', (settings, answer, passed) => {
    expect(evaluate({ type: 'attention_check', ...settings }, { answer })).toEqual({
      ...{ kind: 'accepted', isFinal: true, score: passed ? 1 : 0 },
      recorded: { answer, passed },
    })
  })

  test('a wrong answer ends the experiment only if the settings say so', () => {
    const check = { type: 'attention_check', correct: 'blue', onFail: 'end' }
    expect(evaluate(check, { answer: 'red' })).toMatchObject({ outcome: 'SCREENED_OUT' })
    expect(evaluate(check, { answer: 'blue' })).not.toHaveProperty('outcome')
  })
})

test('points that do not add up are refused with the sum that they must have', () => {
  const component = { type: 'constant_sum', items: ['a', 'b'], total: 10 }
  expect(evaluate(component, { a: 4, b: 5 })).toEqual({
    kind: 'refused',
    message: 'The points add up to 9; they must add up to 10.',
  })
  expect(evaluate(component, { a: 4, b: 6 })).toEqual({ kind: 'accepted', isFinal: true })
})

test('the same item cannot be best and worst', () => {
  const component = { type: 'best_worst', items: ['a', 'b'] }
  expect(evaluate(component, { best: 'a', worst: 'a' })).toMatchObject({ kind: 'refused' })
  expect(evaluate(component, { best: 'a', worst: 'b' })).toEqual({ kind: 'accepted', isFinal: true })
})

describe('hot spot', () => {
  const triangle = [
    { x: 60, y: 10 },
    { x: 90, y: 10 },
    { x: 60, y: 90 },
  ]
  const component = {
    ...{ type: 'hot_spot', src: '/street.png', maxMarks: 4 },
    regions: [
      { value: 'door', x: 0, y: 0, width: 20, height: 50 },
      { value: 'wall', x: 0, y: 0, width: 50, height: 100 },
      { value: 'flag', points: triangle },
    ],
  }

  test('the names of the regions are stored with the marks: the first that holds a mark, or none', () => {
    const marks = [
      { x: 20, y: 50 },
      { x: 20.1, y: 50 },
      { x: 70, y: 20 },
      { x: 85, y: 80 },
    ]
    expect(evaluate(component, { marks })).toEqual({
      kind: 'accepted',
      isFinal: true,
      recorded: { marks, regions: ['door', 'wall', 'flag', null] },
    })
  })

  test('without regions, the marks are stored as they were sent', () => {
    const { regions: _none, ...plain } = component
    expect(evaluate(plain, { marks: [{ x: 1, y: 2 }] })).toEqual({ kind: 'accepted', isFinal: true })
  })
})
