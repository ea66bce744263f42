import { describe, expect, it } from 'vitest'
import { allowedKeyOf } from './pressed-key.ts'
import { type Block, type BlockPlan, begin, onFrame, onHidden, onReaction } from './trial-run.ts'
import { measureClockStep, medianOf } from './use-block.ts'

/** How long a trial waits; no test waits for it. */
const trialMs = 1_000
const plan: BlockPlan = {
  trials: [
    { trial: 1, correctKey: 'f' },
    { trial: 0, correctKey: 'j' },
  ],
  timeoutMs: trialMs,
  fixationMs: 500,
  intervalMs: 250,
  feedbackMs: 0,
}
const press = (key: string, atMs: number) => ({ key, atMs, input: 'keyboard' as const })

/** Frames of 10 ms, up to this time. */
function framesUntil(block: Block, fromMs: number, toMs: number, by = plan): Block {
  let next = block
  for (let atMs = fromMs; atMs <= toMs; atMs += 10) next = onFrame(next, by, atMs)
  return next
}

describe('a block of trials', () => {
  it('shows a cross, the stimulus, nothing, and the next', () => {
    const first = begin(plan, 100)
    expect(first.phase).toEqual({ kind: 'fixation', sinceMs: 100 })
    const shown = framesUntil(first, 110, 600)
    expect(shown.phase).toEqual({ kind: 'stimulus', onsetMs: 600, frameMs: null, reaction: null })
    const answered = onReaction(onFrame(shown, plan, 610), plan, press('f', 945.5))
    const closed = onFrame(answered, plan, 950)
    expect(closed.phase).toEqual({ kind: 'interval', sinceMs: 950 })
    expect(closed.records).toEqual([
      {
        trial: 1,
        key: 'f',
        rtMs: 345.5,
        correct: true,
        timedOut: false,
        onsetMs: 600,
        frameMs: 10,
        input: 'keyboard',
        hidden: false,
      },
    ])
    expect(framesUntil(closed, 960, 1_200).phase).toEqual({ kind: 'fixation', sinceMs: 1_200 })
  })

  it('ends a trial that nobody answers, and counts neither early, late nor second keys', () => {
    const shown = framesUntil(begin(plan, 0), 10, 500)
    const early = onReaction(shown, plan, press('f', 499))
    const late = onReaction(early, plan, press('f', 1_501))
    expect(late).toBe(shown)
    const over = framesUntil(late, 510, 1_500)
    expect(over.records).toMatchObject([
      { key: null, rtMs: null, timedOut: true, correct: false, input: null },
    ])
    const twice = onReaction(onReaction(shown, plan, press('j', 700)), plan, press('f', 710))
    expect(onFrame(twice, plan, 710).records).toMatchObject([{ key: 'j', rtMs: 200, correct: false }])
  })

  it('is over after the last trial', () => {
    const quick = { ...plan, fixationMs: 0, intervalMs: 0 }
    const first = onFrame(onReaction(begin(quick, 0), quick, press('f', 5)), quick, 10)
    expect(first.phase).toMatchObject({ kind: 'stimulus', onsetMs: 10 })
    const last = onFrame(onReaction(first, quick, press('j', 15)), quick, 20)
    expect(last.phase).toEqual({ kind: 'over' })
    expect(last.records.map(({ trial, correct }) => [trial, correct])).toEqual([
      [1, true],
      [0, true],
    ])
  })

  it('marks only the trial during which the page was hidden', () => {
    const quick = { ...plan, fixationMs: 0, intervalMs: 0 }
    const hidden = framesUntil(onHidden(begin(quick, 0)), 60_000, 60_000, quick)
    const both = onFrame(onReaction(hidden, quick, press('j', 60_400)), quick, 60_410)
    expect(both.records.map((record) => [record.hidden, record.timedOut])).toEqual([
      [true, true],
      [false, false],
    ])
  })

  it('tells whether a key was right, wrong or too late, where that is known', () => {
    const quick = { ...plan, fixationMs: 0, feedbackMs: 300 }
    const after = (key: string) => onFrame(onReaction(begin(quick, 0), quick, press(key, 5)), quick, 10).phase
    expect(after('f')).toEqual({ kind: 'feedback', sinceMs: 10, verdict: 'right' })
    expect(after('j')).toMatchObject({ verdict: 'wrong' })
    expect(framesUntil(begin(quick, 0), 10, 1_000, quick).phase).toMatchObject({ verdict: 'late' })
    const unscored = { ...quick, trials: [{ trial: 0, correctKey: undefined }] }
    const done = onFrame(onReaction(begin(unscored, 0), unscored, press('f', 5)), unscored, 10)
    expect(done).toMatchObject({ phase: { kind: 'over' }, records: [{ correct: null }] })
  })
})

describe('a key', () => {
  it.each([
    [{ key: 'F', code: 'KeyF' }, 'f'],
    [{ key: 'ب', code: 'KeyF' }, 'f'],
    [{ key: 'ArrowLeft', code: 'ArrowLeft' }, 'ArrowLeft'],
    [{ key: ' ', code: 'Space' }, ' '],
    [{ key: '!', code: 'Digit1' }, '1'],
    [{ key: 'g', code: 'KeyG' }, undefined],
  ])('%j is %s', (pressed, expected) => {
    expect(allowedKeyOf(pressed, ['f', 'ArrowLeft', ' ', '1'])).toBe(expected)
  })

  it('is the one with its letter before the one in its place', () => {
    expect(allowedKeyOf({ key: 'a', code: 'KeyQ' }, ['q', 'a'])).toBe('a')
  })
})

it('finds the step of a clock that is rounded', () => {
  let calls = 0
  expect(measureClockStep(() => Math.floor(calls++ / 7) * 0.1)).toBe(0.1)
  expect(medianOf([16.7, 16.6, 33.4, 16.7])).toBe(16.7)
  expect(medianOf([])).toBe(0)
})
