import type { DryRun, DryRunArrivals } from '@atrium/contract'
import { counted, formatNumber, formatShare } from '../text/numbers.ts'
import { formatDuration } from '../text/times.ts'

export const arrivalPatterns = [
  { value: 'poisson', label: 'Each on their own (Poisson)' },
  { value: 'even', label: 'At equal distances' },
  { value: 'all_at_once', label: 'All at once' },
] as const
type ArrivalPattern = (typeof arrivalPatterns)[number]['value']

/** The form as it is filled in: a number field may be empty. */
export interface DryRunForm {
  people: number | string
  perMinute: number | string
  pattern: ArrivalPattern
  /** Minutes; empty when nobody leaves. */
  leaveAfterMinutes: number | string
}

/** What to send, or why not. */
export function arrivalsOf(
  form: DryRunForm,
): { ok: true; arrivals: DryRunArrivals } | { ok: false; field: keyof DryRunForm; message: string } {
  const { people, perMinute, leaveAfterMinutes, pattern } = form
  if (!isBetween(people, 1, 20_000) || !Number.isInteger(people))
    return { ok: false, field: 'people', message: 'A whole number from 1 to 20,000.' }
  const needsRate = pattern !== 'all_at_once'
  if (needsRate && !isBetween(perMinute, 0.01, 100_000))
    return { ok: false, field: 'perMinute', message: 'A number from 0.01 to 100,000.' }
  const isLeaving = leaveAfterMinutes !== ''
  if (isLeaving && !isBetween(leaveAfterMinutes, 0.01, 1_440))
    return { ok: false, field: 'leaveAfterMinutes', message: 'A number of minutes up to 1,440, or nothing.' }
  return {
    ok: true,
    arrivals: {
      people: Number(people),
      pattern,
      ...(needsRate && { perMinute: Number(perMinute) }),
      ...(isLeaving && { leaveAfterMs: Math.round(Number(leaveAfterMinutes) * 60_000) }),
    },
  }
}

const isBetween = (value: number | string, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most

interface DryRunFigure {
  label: string
  value: string
  note: string
  isAlarming?: boolean
}

export function figuresOf({ people, waitMs, groups }: DryRun): DryRunFigure[] {
  const { arrived } = people
  const ofAll = (count: number) => `${formatShare(count, arrived)} of ${formatNumber(arrived)}`
  const wait = (ms: number | undefined) => (ms === undefined ? '–' : formatDuration(ms))
  return [
    { label: 'Matched', value: formatNumber(people.matched), note: ofAll(people.matched) },
    { label: 'Half waited at most', value: wait(waitMs?.p50), note: 'p50, of those matched' },
    { label: '9 of 10 waited at most', value: wait(waitMs?.p90), note: 'p90' },
    { label: '99 of 100 waited at most', value: wait(waitMs?.p99), note: 'p99' },
    {
      label: 'Ended by the deadline',
      value: formatNumber(people.endedByDeadline),
      note: ofAll(people.endedByDeadline),
    },
    { label: 'Left while waiting', value: formatNumber(people.left), note: ofAll(people.left) },
    { label: 'Still waiting', value: formatNumber(people.stillWaiting), note: ofAll(people.stillWaiting) },
    ...(people.screenedOut > 0
      ? [{ label: 'Screened out', value: formatNumber(people.screenedOut), note: ofAll(people.screenedOut) }]
      : []),
    { label: 'Groups', value: formatNumber(groups.total), note: groupsInWords(groups) },
  ]
}

const groupsInWords = ({ full, short, withAgents }: DryRun['groups']): string =>
  [
    `${formatNumber(full)} full`,
    ...(short > 0 ? [`${formatNumber(short)} short`] : []),
    ...(withAgents > 0 ? [`${formatNumber(withAgents)} with agents`] : []),
  ].join(', ')

export const barsOf = ({ histogram }: DryRun): { wait: string; people: number }[] =>
  histogram.map(({ fromMs, toMs, people }) => ({
    wait: `${formatDuration(fromMs)} – ${formatDuration(toMs)}`,
    people,
  }))

/** The plot in a sentence, for whoever does not see it. */
export function histogramInWords({ histogram, waitMs }: DryRun): string {
  const [first] = histogram
  if (!first || !waitMs) return 'Nobody was matched, so there are no waiting times.'
  const fullest = histogram.reduce((best, bin) => (bin.people > best.people ? bin : best), first)
  return (
    `Waiting times of ${counted(
      histogram.reduce((sum, { people }) => sum + people, 0),
      'person',
      'people',
    )} who were matched, up to ${formatDuration(waitMs.max)}; ` +
    `the largest part (${formatNumber(fullest.people)}) waited ${formatDuration(fullest.fromMs)} to ${formatDuration(fullest.toMs)}.`
  )
}
