import type { ExperimentDefinition, ExperimentPlots } from '@atrium/contract'
import { texts } from '../../text/console.ts'

const dayMs = 86_400_000

export function completionRows({ bucketMs, buckets }: ExperimentPlots['completion']) {
  const { format } = texts()
  const spanMs = (buckets.at(-1)?.at ?? 0) - (buckets[0]?.at ?? 0) + bucketMs
  const whenOf = (at: number) => (bucketMs < dayMs ? format.moment(at, spanMs) : format.dayInUtc(at))
  return buckets.map(({ at, joined, completed }) => ({ when: whenOf(at), joined, completed }))
}

export const outcomeRows = (outcomes: ExperimentPlots['outcomes']) =>
  outcomes.map(({ outcome, people }) => ({
    outcome: outcome ?? texts().plots.outcomes.undecided,
    people,
  }))

export interface StateRow {
  state: string
  entered: number
  wentOn: number
  stopped: number
  rest: number
}

/** In the order of the definition; states of earlier revisions come last. */
export function stateRows(states: ExperimentPlots['states'], definition: ExperimentDefinition): StateRow[] {
  const places = new Map(definition.states.map((state, place) => [state.id, { place, name: state.name }]))
  const isUnique = (name: string) => definition.states.filter((state) => state.name === name).length === 1
  const labelOf = (stateId: string) => {
    const name = places.get(stateId)?.name
    if (name === undefined) return stateId
    return isUnique(name) ? name : texts().plots.states.label(name, stateId)
  }
  const placeOf = (stateId: string) => places.get(stateId)?.place ?? definition.states.length
  return states
    .toSorted((one, other) => placeOf(one.stateId) - placeOf(other.stateId))
    .map(({ stateId, entered, wentOn, stopped }) => ({
      state: labelOf(stateId),
      entered,
      wentOn,
      stopped,
      rest: Math.max(0, entered - wentOn - stopped),
    }))
}

export interface HistogramRow {
  range: string
  count: number
}

/** From the first bucket that has something in it to the last, in words. */
export function histogramRows(boundsMs: readonly number[], counts: readonly number[]): HistogramRow[] {
  const first = counts.findIndex((count) => count > 0)
  const last = counts.findLastIndex((count) => count > 0)
  if (first === -1) return []
  return counts
    .map((count, bucket) => ({ range: rangeOf(boundsMs, bucket), count }))
    .slice(Math.max(0, first - 1), last + 2)
}

function rangeOf(boundsMs: readonly number[], bucket: number): string {
  const { below, between, above } = texts().plots
  const [from, to] = [boundsMs[bucket - 1], boundsMs[bucket]]
  if (to === undefined) return above(from ?? 0)
  return from === undefined ? below(to) : between(from, to)
}

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** The range that the value in the middle is in. */
export function middleOf(rows: readonly HistogramRow[]): string {
  const half = sumOf(rows.map(({ count }) => count)) / 2
  let seen = 0
  for (const { range, count } of rows) {
    seen += count
    if (seen >= half) return range
  }
  return ''
}

/** Where most participations ended early. */
export const worstOf = (rows: readonly StateRow[]): StateRow | undefined =>
  rows.filter(({ stopped }) => stopped > 0).toSorted((one, other) => other.stopped - one.stopped)[0]
