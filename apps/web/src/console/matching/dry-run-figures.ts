import type { DryRun, DryRunArrivals } from '@atrium/contract'
import { texts } from '../../text/console.ts'
import { answersIn } from './dry-run-answers.ts'

export const arrivalPatterns = ['poisson', 'even', 'all_at_once'] as const
type ArrivalPattern = (typeof arrivalPatterns)[number]

/** The form as filled in: a number field may be empty. */
export interface DryRunForm {
  people: number | string
  perMinute: number | string
  pattern: ArrivalPattern
  /** Minutes; empty when nobody leaves. */
  leaveAfterMinutes: number | string
  /** What people answered, or have in their links: a name in each line. */
  answers: string
  /** Answers of people who took part come before what is stated. */
  likeEarlier: boolean
}

/** The request, or what is wrong with the form. */
export function arrivalsOf(
  form: DryRunForm,
  variables: readonly string[] = [],
): { ok: true; arrivals: DryRunArrivals } | { ok: false; field: keyof DryRunForm; message: string } {
  const text = texts().dryRun
  const { people, perMinute, leaveAfterMinutes, pattern } = form
  if (!isBetween(people, 1, 20_000) || !Number.isInteger(people))
    return { ok: false, field: 'people', message: text.wholeNumberBetween(1, 20_000) }
  const needsRate = pattern !== 'all_at_once'
  if (needsRate && !isBetween(perMinute, 0.01, 100_000))
    return { ok: false, field: 'perMinute', message: text.numberBetween(0.01, 100_000) }
  const isLeaving = leaveAfterMinutes !== ''
  if (isLeaving && !isBetween(leaveAfterMinutes, 0.01, 1_440))
    return { ok: false, field: 'leaveAfterMinutes', message: text.minutesUpToOrNone(1_440) }
  const parsed = answersIn(form.answers, variables)
  if (!parsed.ok) return { ok: false, field: 'answers', message: parsed.message }
  return {
    ok: true,
    arrivals: {
      ...parsed.answers,
      people: Number(people),
      pattern,
      ...(needsRate && { perMinute: Number(perMinute) }),
      ...(isLeaving && { leaveAfterMs: Math.round(Number(leaveAfterMinutes) * 60_000) }),
    },
  }
}

const isBetween = (value: number | string, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max

interface DryRunFigure {
  label: string
  value: string
  note: string
  isAlarming?: boolean
}

export function figuresOf({ people, waitMs, groups, firstCome }: DryRun): DryRunFigure[] {
  const { arrived } = people
  const { dryRun: text, format, feedback } = texts()
  const counted = (label: string, count: number) => ({
    label,
    value: format.number(count),
    note: text.shareOf(format.share(count, arrived), arrived),
  })
  const wait = (ms: number | undefined) => (ms === undefined ? feedback.none : format.duration(ms))
  return [
    counted(text.matched, people.matched),
    { label: text.halfWaited, value: wait(waitMs?.p50), note: text.halfWaitedNote },
    { label: text.mostWaited, value: wait(waitMs?.p90), note: 'p90' },
    { label: text.nearlyAllWaited, value: wait(waitMs?.p99), note: 'p99' },
    counted(text.endedByDeadline, people.endedByDeadline),
    counted(text.left, people.left),
    counted(text.stillWaiting, people.stillWaiting),
    ...(people.screenedOut > 0 ? [counted(text.screenedOut, people.screenedOut)] : []),
    ...(firstCome
      ? [
          {
            label: text.firstCome,
            value: wait(firstCome.waitMs?.p50),
            note: text.firstComeNote(firstCome.matched),
          },
        ]
      : []),
    { label: text.groups, value: format.number(groups.total), note: groupsInWords(groups) },
  ]
}

function groupsInWords({ full, short, withAgents }: DryRun['groups']): string {
  const text = texts().dryRun
  return [
    text.full(full),
    ...(short > 0 ? [text.short(short)] : []),
    ...(withAgents > 0 ? [text.withAgents(withAgents)] : []),
  ].join(', ')
}

export const barsOf = ({ histogram }: DryRun): { wait: string; people: number }[] =>
  histogram.map(({ fromMs, toMs, people }) => ({
    wait: texts().dryRun.range(fromMs, toMs),
    people,
  }))

/** The chart in a sentence, for people who do not see it. */
export function histogramInWords({ histogram, waitMs }: DryRun): string {
  const [first] = histogram
  if (!first || !waitMs) return texts().dryRun.nobodyMatched
  const fullest = histogram.reduce((best, bin) => (bin.people > best.people ? bin : best), first)
  const matched = histogram.reduce((sum, { people }) => sum + people, 0)
  return texts().dryRun.histogram(matched, waitMs.max, fullest)
}
