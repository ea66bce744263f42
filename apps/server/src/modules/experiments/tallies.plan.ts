/**
 * What the plots of an experiment are made of: events by state, and response times by component (ADR 34). What an event adds follows
 * from the event alone, so that it can be taken out again when the event is deleted.
 */
export interface Tally {
  /**
   * `entered`: came into a state; `passed`: went on from it, to another state or the planned end; `stopped`: the
   * participation ended in it; `response`: an answer with its response time.
   */
  kind: 'entered' | 'passed' | 'stopped' | 'response'
  /** Pages may report what the room records as well. */
  origin: 'room' | 'page'
  stateId: string
  /** Empty unless it is a response, like `bucket`. */
  componentId: string
  /** Position in `responseTimeBoundsMs`. */
  bucket: number
  count: number
}

export interface TalliedEvent {
  type: string
  stateId: string | null
  componentId: string | null
  data: string
  flags: string
  /** Null if a page sent it. */
  roomSeq: number | null
  /** RM89: null once the flow is over. */
  visit: number | null
}

/** Types of the events that are looked at. */
export const talliedTypes = ['state_transition', 'component_response', 'finished', 'left', 'removed'] as const
const isTallied: ReadonlySet<string> = new Set(talliedTypes)

/** Each bucket ends before its bound; one more has everything above. Close to equal steps on a logarithmic scale. */
export const responseTimeBoundsMs: readonly number[] = [
  ...[200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000],
  ...[15_000, 20_000, 30_000, 60_000, 120_000, 300_000],
]

export function bucketOf(ms: number, boundsMs: readonly number[]): number {
  const bucket = boundsMs.findIndex((bound) => ms < bound)
  return bucket === -1 ? boundsMs.length : bucket
}

/**
 * Flagged events name places that the study does not have, or answers that it does not take. A response time that cannot be true
 * counts: the outermost bucket has no end that it could distort.
 */
export function talliesOf(event: TalliedEvent): Tally[] {
  if (!isTallied.has(event.type) || !['', 'implausible_time'].includes(event.flags)) return []
  const origin = event.roomSeq === null ? 'page' : 'room'
  const data: Record<string, unknown> = JSON.parse(event.data)
  const inState = (kind: Tally['kind'], stateId: unknown): Tally[] =>
    typeof stateId === 'string' ? [{ kind, origin, stateId, componentId: '', bucket: 0, count: 1 }] : []
  switch (event.type) {
    case 'state_transition':
      return [...inState('entered', data.toState ?? event.stateId), ...inState('passed', data.fromState)]
    case 'component_response':
      return responseIn(event, data.responseTime, origin)
    default:
      // Only the room decides how a participation ends.
      // Somebody who vanished counts as going on with the room (`endedIn`), as in the states before.
      return origin === 'page'
        ? []
        : inState(event.visit === null ? 'passed' : 'stopped', data.endedIn ?? data.fromState)
  }
}

function responseIn({ stateId, componentId }: TalliedEvent, ms: unknown, origin: Tally['origin']): Tally[] {
  if (componentId === null || typeof ms !== 'number') return []
  const bucket = bucketOf(ms, responseTimeBoundsMs)
  return [{ kind: 'response', origin, stateId: stateId ?? '', componentId, bucket, count: 1 }]
}

/** Equal ones together; those that cancel each other out are left out. */
export function sumTallies(tallies: Iterable<Tally>): Tally[] {
  const sums = new Map<string, Tally>()
  for (const tally of tallies) {
    const { kind, origin, stateId, componentId, bucket, count } = tally
    // No id contains a line break.
    const key = `${kind}\n${origin}\n${stateId}\n${componentId}\n${bucket}`
    sums.set(key, { ...tally, count: count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()].filter(({ count }) => count !== 0)
}

export const negated = (tallies: readonly Tally[]): Tally[] =>
  tallies.map((tally) => ({ ...tally, count: -tally.count }))

/** All tallies of a change in one cell, because a row for each would double what a batch of answers writes. */
export const writeTallies = (tallies: readonly Tally[]): string | null =>
  tallies.length === 0 ? null : JSON.stringify(sumTallies(tallies))

export const readTallies = (text: string | null): Tally[] => (text === null ? [] : JSON.parse(text))
