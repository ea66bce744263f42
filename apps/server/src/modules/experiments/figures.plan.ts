import type { ActivityWindow } from './experiments.store.ts'
import { sumTallies, type Tally } from './tallies.plan.ts'

/**
 * What changes the figures of an experiment (ADR 34). `events` are those of people, `agent_events` those of agents that play
 * with them; `gap` is a session with missing events; `outcome` moves participants from one outcome to another. `tallies` are
 * those of events that are counted separately; `bytes` are stored, or deleted, without an event.
 */
export type DeltaKind =
  | 'joined'
  | 'outcome'
  | 'completed'
  | 'gap'
  | 'events'
  | 'agent_events'
  | 'tallies'
  | 'bytes'

export interface Delta {
  experimentId: string
  kind: DeltaKind
  at: number
  count: number
  revision: number | null
  outcome: string | null
  /** Of events. */
  tallies: readonly Tally[]
  /** What its participants store, in bytes; with every kind. */
  bytes: number
}

interface ActivityRow {
  experimentId: string
  resolutionMs: number
  startsAt: number
  joined: number
  completed: number
  events: number
}

interface OutcomeRow {
  experimentId: string
  revision: number
  outcome: string | null
  people: number
}

interface TotalsRow {
  experimentId: string
  events: number
  sessionsWithGaps: number
  lastEventAt: number | null
  bytes: number
}

interface TallyRow extends Tally {
  experimentId: string
}

export interface Folded {
  activity: ActivityRow[]
  outcomes: OutcomeRow[]
  totals: TotalsRow[]
  tallies: TallyRow[]
}

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/**
 * What each is kept for is longer than any window whose buckets are made of it (`activityWindow`): of seconds, for example,
 * only buckets of one or two seconds are made, in windows of up to four minutes. So a window is read from at most 720
 * rows, however much has happened in it.
 */
export const resolutions = [
  { resolutionMs: hourMs, keptMs: 8 * 24 * hourMs },
  { resolutionMs: 5 * minuteMs, keptMs: 3 * 24 * hourMs },
  { resolutionMs: minuteMs, keptMs: 6 * hourMs },
  { resolutionMs: 5 * secondMs, keptMs: 2 * hourMs },
  { resolutionMs: secondMs, keptMs: 10 * minuteMs },
] as const

/** Joins and completions are also kept by day, for ever: a study of a year has 365 such rows. */
export const dayMs = 24 * hourMs

export const longestKeptMs = resolutions[0].keptMs

/** The coarsest rows of which every bucket is made of whole ones. */
export function resolutionOf({ from, bucketMs }: ActivityWindow): number {
  const fits = (ms: number) => from % ms === 0 && bucketMs % ms === 0
  const found = resolutions.find(({ resolutionMs }) => fits(resolutionMs))
  if (!found) throw new Error('activity is counted in whole seconds')
  return found.resolutionMs
}

/** Sums up changes by the rows that they belong to. */
export function foldDeltas(deltas: readonly Delta[], now: number): Folded {
  const activity = new Map<string, ActivityRow>()
  const outcomes = new Map<string, OutcomeRow>()
  const totals = new Map<string, TotalsRow>()
  for (const delta of deltas) {
    addToActivity(activity, delta, now)
    addToOutcomes(outcomes, delta)
    addToTotals(totals, delta)
  }
  return {
    activity: [...activity.values()],
    // People who joined and got their outcome since the last time change nothing at the first.
    outcomes: [...outcomes.values()].filter(({ people }) => people !== 0),
    totals: [...totals.values()],
    tallies: [...Map.groupBy(deltas, ({ experimentId }) => experimentId)].flatMap(([experimentId, theirs]) =>
      sumTallies(theirs.flatMap(({ tallies }) => tallies)).map((tally) => ({ ...tally, experimentId })),
    ),
  }
}

const columnOf: Partial<Record<DeltaKind, 'joined' | 'completed' | 'events'>> = {
  joined: 'joined',
  completed: 'completed',
  events: 'events',
}

function addToActivity(rows: Map<string, ActivityRow>, delta: Delta, now: number): void {
  const column = columnOf[delta.kind]
  if (!column) return
  const { experimentId, at, count } = delta
  const byDay = column === 'events' ? [] : [{ resolutionMs: dayMs, keptMs: Number.POSITIVE_INFINITY }]
  for (const { resolutionMs, keptMs } of [...resolutions, ...byDay]) {
    const startsAt = Math.floor(at / resolutionMs) * resolutionMs
    if (startsAt < now - keptMs) continue
    const key = `${resolutionMs} ${startsAt} ${experimentId}`
    const row = rows.get(key) ?? {
      experimentId,
      resolutionMs,
      startsAt,
      joined: 0,
      completed: 0,
      events: 0,
    }
    rows.set(key, { ...row, [column]: row[column] + count })
  }
}

function addToOutcomes(rows: Map<string, OutcomeRow>, delta: Delta): void {
  const { experimentId, kind, revision, outcome, count } = delta
  if ((kind !== 'joined' && kind !== 'outcome') || revision === null) return
  const key = JSON.stringify([experimentId, revision, outcome])
  const people = (rows.get(key)?.people ?? 0) + count
  rows.set(key, { experimentId, revision, outcome, people })
}

function addToTotals(rows: Map<string, TotalsRow>, { experimentId, kind, at, count, bytes }: Delta): void {
  const isOfEvents = kind === 'events' || kind === 'agent_events'
  if (!isOfEvents && kind !== 'gap' && bytes === 0) return
  const row = rows.get(experimentId) ?? {
    experimentId,
    events: 0,
    sessionsWithGaps: 0,
    lastEventAt: null,
    bytes: 0,
  }
  rows.set(experimentId, {
    experimentId,
    events: row.events + (isOfEvents ? count : 0),
    sessionsWithGaps: row.sessionsWithGaps + (kind === 'gap' ? count : 0),
    lastEventAt: kind === 'events' ? Math.max(at, row.lastEventAt ?? at) : row.lastEventAt,
    bytes: row.bytes + bytes,
  })
}

/** The events of a group, by experiment, kind and second. Those before `oldest` are taken together. */
export function eventDeltas(
  events: Iterable<Omit<Delta, 'revision' | 'outcome'>>,
  oldest = Number.NEGATIVE_INFINITY,
): Delta[] {
  const deltas = new Map<string, Delta>()
  for (const { experimentId, kind, at, count, tallies, bytes } of events) {
    const second = at < oldest ? 'old' : Math.floor(at / secondMs)
    const key = `${kind} ${second} ${experimentId}`
    const known = deltas.get(key)
    deltas.set(key, {
      experimentId,
      kind,
      at: Math.max(at, known?.at ?? at),
      count: count + (known?.count ?? 0),
      revision: null,
      outcome: null,
      tallies: [...(known?.tallies ?? []), ...tallies],
      bytes: bytes + (known?.bytes ?? 0),
    })
  }
  return [...deltas.values()]
}
