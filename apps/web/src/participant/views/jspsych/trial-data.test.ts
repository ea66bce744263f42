import { expect, test } from 'vitest'
import { finishedIn, fittingResponse, frameReportIn, type TrialData, trialDataOf } from './trial-data.ts'

const planned = [
  { type: 'html-keyboard-response', stimulus: 'A' },
  { type: 'html-button-response', stimulus: 'B' },
]
const trial = (index: number, more: object = {}): TrialData => ({
  trial_type: planned[index]?.type ?? '',
  trial_index: index,
  run: 0,
  ...more,
})

test('a trial says where in the timeline it belongs, whatever the frame says', () => {
  const [first = { type: '' }] = planned
  const data = { rt: 5, trial_index: 99, trial_type: 'other', run: -1, when: new Date(0), nothing: undefined }
  expect(trialDataOf(data, first, 3, 1)).toEqual({
    rt: 5,
    when: '1970-01-01T00:00:00.000Z',
    trial_type: 'html-keyboard-response',
    trial_index: 3,
    run: 1,
  })
})

test('texts are cut, and stimuli left out if all trials together are too large', () => {
  const [first = { type: '' }] = planned
  const long = trialDataOf({ response: { Q0: 'x'.repeat(5_000) }, stimulus: 'y'.repeat(5_000) }, first, 0, 0)
  expect(long).toMatchObject({ response: { Q0: 'x'.repeat(2_000) }, stimulus: 'y'.repeat(2_000) })
  expect(fittingResponse([long])).toEqual({ trials: [long] })
  const many = Array.from({ length: 30 }, () => long)
  expect(fittingResponse(many).trials.every((kept) => !('stimulus' in kept) && 'response' in kept)).toBe(true)
})

test('long answers are cut until all trials together can be sent', () => {
  const answers = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`Q${at}`, 'ß'.repeat(2_000)]))
  const { trials } = fittingResponse([trial(0, { response: answers }), trial(1, { rt: 7 })])
  expect(new TextEncoder().encode(JSON.stringify({ trials })).length).toBeLessThan(90_000)
  expect(trials).toMatchObject([
    { trial_type: 'html-keyboard-response', response: { Q59: 'ß'.repeat(500) } },
    { rt: 7 },
  ])
})

test('a draft counts only if it belongs to this timeline', () => {
  expect(finishedIn({ trials: [trial(0)] }, planned)).toEqual([trial(0)])
  expect(finishedIn({ trials: [trial(0), trial(1)] }, planned)).toHaveLength(2)
  for (const other of [
    undefined,
    'text',
    { trials: 3 },
    { trials: [trial(1)] },
    { trials: [trial(0, { trial_type: 'video' })] },
    { trials: [trial(0, { run: 'first' })] },
    { trials: [trial(0), trial(1), trial(2)] },
    { trials: [null] },
  ])
    expect(finishedIn(other, planned)).toEqual([])
})

test('messages of the frame are recognised, and nothing else', () => {
  expect(frameReportIn({ atrium: 'frame_loaded', more: 1 })).toEqual({ atrium: 'frame_loaded' })
  expect(frameReportIn({ atrium: 'trial_finished', data: { rt: 1 } })).toEqual({
    atrium: 'trial_finished',
    data: { rt: 1 },
  })
  for (const other of [
    null,
    'frame_loaded',
    {},
    { atrium: 'trial_finished' },
    { atrium: 'respond', value: 1 },
  ])
    expect(frameReportIn(other)).toBeUndefined()
})
