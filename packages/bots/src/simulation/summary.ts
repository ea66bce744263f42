import { eventsOf } from '../bot-log.ts'
import type { Log } from '../invariants/evidence.ts'
import type { Simulation } from './simulate.ts'

const widestBar = 30
const shownBreaches = 5

/** What happened, on one screen. */
export function renderSummary(simulation: Simulation): string {
  const { definition, logs, exported, rooms, durationMs } = simulation
  const count = (kind: Parameters<typeof eventsOf>[1]): number =>
    logs.reduce((sum, log) => sum + eventsOf(log, kind).length, 0)
  const away = logs.filter((log) => log.events.at(-1)?.kind === 'away').length
  const waits = logs.flatMap(waitingMs)
  return [
    `${definition.name}: ${logs.length} participants in ${seconds(durationMs)}`,
    '',
    row('rooms', `${rooms.length}, people in each: ${rangeOf(rooms.map(({ seats }) => seats.length))}`),
    row('dropped out', `${count('away')}, of whom ${count('back')} came back and ${away} did not`),
    row(
      'waiting',
      `half ${seconds(median(waits))}, 9 of 10 ${seconds(quantile(waits, 0.9))}, longest ${seconds(quantile(waits, 1))}`,
    ),
    row(
      'actions',
      `${count('acknowledged')} acknowledged, ${count('refused')} refused, ${count('unanswered')} unanswered`,
    ),
    row('events', `${exported.length} stored`),
    '',
    'Completed with',
    ...bars(outcomes(logs), (number) => String(number)),
    '',
    'Time in state, median',
    ...bars(timesInStates(simulation), seconds),
    '',
    ...renderFindings(simulation),
  ].join('\n')
}

function renderFindings({ findings }: Simulation): string[] {
  const broken = findings.filter(({ breaches }) => breaches.length > 0)
  if (broken.length === 0) return [`${findings.length} invariants checked, all hold.`]
  return [
    `${findings.length} invariants checked, ${broken.length} broken:`,
    ...broken.flatMap(({ invariant, breaches }) => [
      `  ${invariant}: ${breaches.length}`,
      ...breaches.slice(0, shownBreaches).map((breach) => `    ${breach}`),
    ]),
  ]
}

const row = (name: string, text: string): string => `${name.padEnd(14)}${text}`
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`

function rangeOf(numbers: readonly number[]): string {
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)]
  return numbers.length === 0 ? 'none' : min === max ? String(min) : `${min} to ${max}`
}

function bars(values: ReadonlyMap<string, number>, label: (value: number) => string): string[] {
  const max = Math.max(...values.values(), Number.MIN_VALUE)
  const width = Math.max(0, ...[...values.keys()].map((name) => name.length))
  return [...values].map(([name, value]) => {
    const bar = '█'.repeat(Math.max(1, Math.round((value / max) * widestBar)))
    return `  ${name.padEnd(width)}  ${label(value).padStart(8)}  ${bar}`
  })
}

/** Outcome → how many were completed with it. */
function outcomes(logs: readonly Log[]): Map<string, number> {
  const all = logs.flatMap((log) => [
    ...eventsOf(log, 'completed').map(({ outcome }) => outcome),
    ...eventsOf(log, 'wait_ended').map(({ reason }) => `no group (${reason})`),
  ])
  const grouped = Map.groupBy(all, (outcome) => outcome)
  return new Map([...grouped].map(([outcome, those]) => [outcome, those.length]))
}

function waitingMs(log: Log): number[] {
  const joinedAt = eventsOf(log, 'joined')[0]?.at
  const assignedAt = eventsOf(log, 'assigned')[0]?.at
  return joinedAt === undefined || assignedAt === undefined ? [] : [assignedAt - joinedAt]
}

/** State → median time in it, in the order of the definition. */
function timesInStates({ definition, logs }: Simulation): Map<string, number> {
  const times = Map.groupBy(logs.flatMap(staysOf), ({ stateId }) => stateId)
  return new Map(
    definition.states
      .filter(({ id }) => times.has(id))
      .map(({ id }) => [id, median((times.get(id) ?? []).map(({ ms }) => ms))]),
  )
}

function staysOf(log: Log): { stateId: string; ms: number }[] {
  const stops = log.events.filter(
    ({ kind }) => kind === 'entered' || kind === 'went_on' || kind === 'finished',
  )
  return stops.flatMap((stop, index) => {
    const next = stops[index + 1]
    return stop.kind === 'entered' && next ? [{ stateId: stop.stateId, ms: next.at - stop.at }] : []
  })
}

/** The value below which a share of the others lies; 0 when there are none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}

const median = (values: readonly number[]): number => quantile(values, 0.5)
