import type { ExperimentPlots } from '@atrium/contract'
import { fillBuckets } from './activity.ts'
import type { DayCount, ExperimentStore, PlotFigures } from './experiments.store.ts'
import { dayMs } from './figures.plan.ts'
import { bucketOf, responseTimeBoundsMs, type Tally } from './tallies.plan.ts'

const hourMs = 3_600_000
/** Hours are kept for eight days; a study of a week is easier to read in hours. */
const shownInHoursMs = 7 * dayMs
const maxBuckets = 400
const maxOutcomes = 100
const maxComponents = 200

export const waitBoundsMs: readonly number[] = [
  ...[1, 2, 5, 10, 20, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 3, 5, 10, 20, 30].map((minutes) => minutes * 60_000),
]

export async function readPlots(
  store: Pick<ExperimentStore, 'plots' | 'activity'>,
  experimentId: string,
  now: number,
): Promise<ExperimentPlots> {
  const figures = await store.plots(experimentId)
  const { newest, isAll } = figures.waitsMs
  return {
    completion: await completionOf(store, experimentId, figures.days, now),
    outcomes: outcomesIn(figures),
    states: statesIn(figures.tallies),
    responseTimes: { boundsMs: [...responseTimeBoundsMs], components: componentsIn(figures.tallies) },
    waiting: {
      boundsMs: [...waitBoundsMs],
      counts: countsIn(
        newest.map((waitMs) => ({ bucket: bucketOf(waitMs, waitBoundsMs), count: 1 })),
        waitBoundsMs,
      ),
      isComplete: isAll,
    },
    isCounting: figures.isCounting,
  }
}

type Completion = ExperimentPlots['completion']

async function completionOf(
  store: Pick<ExperimentStore, 'activity'>,
  experimentId: string,
  days: readonly DayCount[],
  now: number,
): Promise<Completion> {
  const first = days[0]?.at
  if (first === undefined) return { bucketMs: hourMs, buckets: [] }
  if (now - first > shownInHoursMs) return { bucketMs: dayMs, buckets: withEmptyDays(days, now) }
  const to = (Math.floor(now / hourMs) + 1) * hourMs
  const window = { from: first, to, bucketMs: hourMs }
  const { buckets } = fillBuckets(window, await store.activity(experimentId, window))
  const begin = buckets.findIndex(({ joined, completed }) => joined + completed > 0)
  return {
    bucketMs: hourMs,
    buckets: buckets
      .slice(Math.max(0, begin))
      .map(({ at, joined, completed }) => ({ at, joined, completed })),
  }
}

function withEmptyDays(days: readonly DayCount[], now: number): Completion['buckets'] {
  const known = new Map(days.map((day) => [day.at, day]))
  const last = Math.floor(now / dayMs) * dayMs
  const first = Math.max(days[0]?.at ?? last, last - (maxBuckets - 1) * dayMs)
  return Array.from({ length: (last - first) / dayMs + 1 }, (_, index) => {
    const at = first + index * dayMs
    return known.get(at) ?? { at, joined: 0, completed: 0 }
  })
}

/** Over all revisions. People without an outcome come last. */
function outcomesIn({ outcomes }: PlotFigures): ExperimentPlots['outcomes'] {
  const byName = Map.groupBy(outcomes, ({ outcome }) => outcome)
  return [...byName]
    .map(([outcome, rows]) => ({ outcome, people: rows.reduce((sum, { people }) => sum + people, 0) }))
    .toSorted(
      (one, other) =>
        Number(one.outcome === null) - Number(other.outcome === null) || other.people - one.people,
    )
    .slice(0, maxOutcomes)
}

/** D5: what rooms recorded counts before what pages sent. */
function preferred(tallies: readonly Tally[]): readonly Tally[] {
  const ofRooms = tallies.filter(({ origin }) => origin === 'room')
  return ofRooms.length > 0 ? ofRooms : tallies
}

function statesIn(tallies: readonly Tally[]): ExperimentPlots['states'] {
  const ofStates = tallies.filter(({ kind }) => kind !== 'response')
  return [...Map.groupBy(ofStates, ({ stateId }) => stateId)].flatMap(([stateId, all]) => {
    const theirs = preferred(all)
    const sum = (kind: Tally['kind']) =>
      theirs.reduce((total, tally) => total + (tally.kind === kind ? tally.count : 0), 0)
    const entered = sum('entered')
    // A page may say where somebody came from without ever having said that they came there.
    return entered > 0 ? [{ stateId, entered, wentOn: sum('passed'), stopped: sum('stopped') }] : []
  })
}

function componentsIn(tallies: readonly Tally[]): ExperimentPlots['responseTimes']['components'] {
  const responses = tallies.filter(({ kind }) => kind === 'response')
  const keyOf = ({ stateId, componentId }: Tally) => JSON.stringify([stateId, componentId])
  return [...Map.groupBy(responses, keyOf).values()]
    .map((all) => {
      const [{ stateId, componentId } = { stateId: '', componentId: '' }] = all
      return { stateId, componentId, counts: countsIn(preferred(all), responseTimeBoundsMs) }
    })
    .toSorted((one, other) => total(other.counts) - total(one.counts))
    .slice(0, maxComponents)
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

function countsIn(
  entries: readonly { bucket: number; count: number }[],
  boundsMs: readonly number[],
): number[] {
  const counts = Array.from({ length: boundsMs.length + 1 }, () => 0)
  for (const { bucket, count } of entries) counts[bucket] = (counts[bucket] ?? 0) + count
  return counts
}
