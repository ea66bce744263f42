import type { ExperimentFlow, FlowCounts } from '@atrium/contract'
import { texts } from '../../text/console.ts'

/** In the order of a CONSORT diagram. */
const names = [
  ...(['arrived', 'consented', 'awaitingConsent', 'declined', 'waiting', 'notMatched'] as const),
  ...([
    'assigned',
    'inProgress',
    'screenedOut',
    'removed',
    'withdrawn',
    'disconnected',
    'left',
    'partnerLeft',
    'timedOut',
  ] as const),
  ...(['quotaFull', 'ended', 'deleted', 'completed'] as const),
]
type FlowName = (typeof names)[number]

const countIn = (counts: FlowCounts, name: FlowName): number => {
  const { dropped, ...others } = counts
  return { ...others, ...dropped }[name]
}

/** Everyone who stopped for one reason or another after they had consented. */
export const droppedIn = (counts: FlowCounts): number =>
  [
    counts.screenedOut,
    counts.removed,
    counts.withdrawn,
    counts.notMatched,
    ...Object.values(counts.dropped),
  ].reduce((sum, one) => sum + one, 0)

export interface FlowBox {
  title: string
  lines: string[]
}

export interface FlowStep {
  main: FlowBox
  /** Those who went no further. */
  aside: FlowBox | null
}

const maxConditionLines = 8

/** What the picture shows, from top to bottom. Reasons that nobody had are left out. */
export function flowSteps({ total, conditions }: ExperimentFlow): FlowStep[] {
  const { labels, line } = texts().plots.flow
  const linesOf = (shown: readonly FlowName[]) =>
    shown.filter((name) => countIn(total, name) > 0).map((name) => line(labels[name], countIn(total, name)))
  const box = (name: FlowName, lines: string[] = []): FlowBox => ({
    title: line(labels[name], countIn(total, name)),
    lines,
  })
  const aside = (shown: readonly FlowName[]): FlowBox | null => {
    const [title, ...lines] = linesOf(shown)
    return title === undefined ? null : { title, lines }
  }
  const before = aside(['awaitingConsent', 'declined', 'waiting', 'notMatched', 'deleted'])
  const after = aside([
    ...(['inProgress', 'screenedOut', 'removed', 'withdrawn', 'disconnected', 'left'] as const),
    ...(['partnerLeft', 'timedOut', 'quotaFull', 'ended'] as const),
  ])
  const steps: FlowStep[] = [{ main: box('arrived', linesOf(['consented'])), aside: before }]
  // Studies whose own page talks to us have no rooms.
  if (total.assigned > 0) steps.push({ main: box('assigned', conditionLines(conditions)), aside: after })
  else if (after) steps.push({ main: { title: labels.inProgress, lines: [] }, aside: after })
  return [...steps, { main: box('completed'), aside: null }]
}

function conditionLines(conditions: ExperimentFlow['conditions']): string[] {
  const { ofCondition, moreConditions } = texts().plots.flow
  const named = conditions.filter(({ condition }) => condition !== null)
  const lines = named
    .slice(0, maxConditionLines)
    .map(({ condition, assigned, completed }) => ofCondition(`${condition}`, assigned, completed))
  const more = named.length - lines.length
  return more > 0 ? [...lines, moreConditions(more)] : lines
}

/** A row for each count, with a column for each condition. */
export function flowTable({ total, conditions }: ExperimentFlow) {
  const text = texts().plots.flow
  const isDivided = conditions.some(({ condition }) => condition !== null)
  const shown = isDivided ? conditions : []
  const columns: [key: string, header: string][] = [
    ['count', text.count],
    ['all', text.all],
    ...shown.map(({ condition }, index): [string, string] => [`c${index}`, condition ?? text.noCondition]),
  ]
  const rows = names.map((name) => ({
    count: text.labels[name],
    all: countIn(total, name),
    ...Object.fromEntries(shown.map((counts, index) => [`c${index}`, countIn(counts, name)])),
  }))
  return { columns, rows }
}

/** Of a line that is too long for its box, words are left out, and never the number after them. */
export function shortened(line: string, longest: number): string {
  if (line.length <= longest) return line
  const numberAt = line.lastIndexOf(': ')
  const number = numberAt < 0 ? '' : line.slice(numberAt)
  return `${line.slice(0, Math.max(0, longest - number.length - 1))}…${number}`
}
