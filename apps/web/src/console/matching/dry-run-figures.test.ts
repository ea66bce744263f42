import type { DryRun } from '@atrium/contract'
import { expect, test } from 'vitest'
import { arrivalsOf, barsOf, type DryRunForm, figuresOf, histogramInWords } from './dry-run-figures.ts'

const form: DryRunForm = {
  people: 200,
  perMinute: 3,
  pattern: 'poisson',
  leaveAfterMinutes: '',
  answers: '',
  likeEarlier: false,
}

test('the form becomes a request', () => {
  expect(arrivalsOf(form)).toEqual({ ok: true, arrivals: { people: 200, perMinute: 3, pattern: 'poisson' } })
  expect(arrivalsOf({ ...form, leaveAfterMinutes: 4.5 })).toMatchObject({
    arrivals: { leaveAfterMs: 270_000 },
  })
  expect(arrivalsOf({ ...form, pattern: 'all_at_once', perMinute: '' })).toEqual({
    ok: true,
    arrivals: { people: 200, pattern: 'all_at_once' },
  })
})

test.each([
  [{ people: '' }, 'people'],
  [{ people: 1.5 }, 'people'],
  [{ people: 20_001 }, 'people'],
  [{ perMinute: 0 }, 'perMinute'],
  [{ leaveAfterMinutes: 2_000 }, 'leaveAfterMinutes'],
  [{ answers: 'opinion' }, 'answers'],
])('%j is refused with its field', (change, field) => {
  expect(arrivalsOf({ ...form, ...change })).toMatchObject({ ok: false, field })
})

const run: DryRun = {
  seed: 's',
  durationMs: 600_000,
  stoppedEarly: false,
  people: { arrived: 10, matched: 8, endedByDeadline: 1, screenedOut: 0, left: 1, stillWaiting: 0 },
  groups: { total: 4, full: 3, short: 1, withAgents: 0 },
  groupSizes: [{ people: 2, groups: 4 }],
  waitMs: { p50: 30_000, p90: 90_000, p99: 120_000, max: 125_000, mean: 40_000 },
  histogram: [
    { fromMs: 0, toMs: 60_000, people: 6 },
    { fromMs: 60_000, toMs: 120_000, people: 2 },
  ],
  parts: [],
  firstCome: null,
}

test('the figures give shares and waiting times', () => {
  const figures = Object.fromEntries(
    figuresOf(run).map(({ label, value, note }) => [label, `${value} | ${note}`]),
  )
  expect(figures).toMatchObject({
    Matched: '8 | 80% of 10',
    'Half waited at most': '30 s | p50, of those matched',
    'Left while waiting': '1 | 10% of 10',
    Groups: '4 | 3 full, 1 short',
  })
  expect(figures).not.toHaveProperty('Screened out')
})

test('[M31] with parts, a figure says how long people would wait in order of arrival', () => {
  const { waitMs } = run
  const figures = figuresOf({ ...run, firstCome: { matched: 10, waitMs } })
  expect(figures).toContainEqual({
    label: 'In order of arrival alone',
    value: '30 s',
    note: 'p50, if only arrival counted; 10 matched',
  })
})

test('if nobody is matched there are no waiting times', () => {
  const none = { ...run, waitMs: null, histogram: [] }
  expect(figuresOf(none)[1]?.value).toBe('–')
  expect(histogramInWords(none)).toContain('Nobody was matched')
})

test('the chart in words', () => {
  expect(histogramInWords(run)).toBe(
    'Waiting times of 8 matched people, up to 2 min 05 s. The most frequent was 0 s to 1 min (6).',
  )
  expect(barsOf(run)[1]).toEqual({ wait: '1 min – 2 min', people: 2 })
})
