import { readdirSync, readFileSync } from 'node:fs'

/** The kernel's clock tick, 1/100 s on every Linux that Node runs on. */
const microsPerTick = 10_000

/** User and system time of a process, including its threads and ended children, in microseconds. */
export const cpuMicrosOf = (pid: number): number => cpuMicrosIn(readFileSync(`/proc/${pid}/stat`, 'utf8'))

export const cpuMicrosOfEndedChildren = (pid: number): number =>
  cpuMicrosIn(readFileSync(`/proc/${pid}/stat`, 'utf8'), 13)

/** Its own and that of ended children: PostgreSQL has a process per connection, and connections come and go. */
function cpuMicrosIn(stat: string, firstField = 11): number {
  // "12 (a name) with) brackets) S 1 …": only what follows the last bracket can be split safely.
  const fields = (stat.split(') ').at(-1) ?? '').split(' ')
  const ticks = fields.slice(firstField, 15).reduce((total, field) => total + Number(field), 0)
  return ticks * microsPerTick
}

const databasePrograms = new Set(['postgres', 'redis-server'])

/** The same for the PostgreSQL and Redis processes that we started. */
export const cpuMicrosOfDatabases = (): number =>
  descendantsOf(process.pid)
    .filter((pid) => databasePrograms.has(readOrEmpty(`/proc/${pid}/comm`).trim()))
    // PostgreSQL's own workers come and go. What one has used is that of its parent once it is gone.
    .reduce((total, pid) => total + cpuMicrosIn(readOrEmpty(`/proc/${pid}/stat`)), 0)

const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

export const childrenOf = (pid: number): number[] =>
  threadsOf(pid).flatMap((thread) =>
    readOrEmpty(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )

/** None if the process has just ended. */
function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Empty if the process has just ended. */
function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

export function percentile(sorted: Float64Array, share: number): number {
  const index = Math.min(sorted.length - 1, Math.floor(sorted.length * share))
  return sorted[index] ?? Number.NaN
}

/**
 * The share of the machine (0 to 1) that other programs use from now until the returned function is called. Everything
 * we start must have ended by then, because only then is its time counted as ours.
 */
export function watchOthers(cores: number): () => number {
  const before = { busy: busyMicros(), own: cpuMicrosOf(process.pid), at: performance.now() }
  return () => {
    const others = busyMicros() - before.busy - (cpuMicrosOf(process.pid) - before.own)
    return Math.max(0, others / ((performance.now() - before.at) * 1000 * cores))
  }
}

/** Of all cores together, since boot. */
function busyMicros(): number {
  const [user, nice, system, , , interrupts, softInterrupts] = (
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const ticks = [user, nice, system, interrupts, softInterrupts].reduce<number>(
    (sum, part) => sum + (part ?? 0),
    0,
  )
  return ticks * microsPerTick
}

/** One round of load against one server. */
export interface Round {
  requests: number
  ms: number
  latenciesMs: Float64Array
  /** Unsuccessful responses; a benchmark with any is worthless. */
  failures: Record<string, number>
  serverCpuMicros: number
  databaseCpuMicros: number
}

/** All rounds of one server, as shown in the tables. */
export interface Figures {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicrosPerRequest: number
  databaseCpuMicrosPerRequest: number
}

export function figuresOf(rounds: readonly Round[]): Figures {
  const sum = (pick: (round: Round) => number) => rounds.reduce((total, round) => total + pick(round), 0)
  const requests = sum((round) => round.requests)
  const latencies = new Float64Array(rounds.flatMap((round) => [...round.latenciesMs])).sort()
  return {
    requests,
    perSecond: (requests * 1000) / sum((round) => round.ms),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMicrosPerRequest: medianOf(rounds.map((round) => round.serverCpuMicros / round.requests)),
    databaseCpuMicrosPerRequest: medianOf(rounds.map((round) => round.databaseCpuMicros / round.requests)),
  }
}

/** Of CPU per request, because one round in which the machine was taken away from us costs several times the others. */
const medianOf = (values: readonly number[]): number => percentile(new Float64Array(values).sort(), 0.5)

export const meanOf = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length

/** Least-squares slope: how much `ys` grow per step. */
export function slopeOf(ys: readonly number[]): number {
  const meanX = (ys.length - 1) / 2
  const meanY = meanOf(ys)
  const covariance = ys.reduce((total, y, x) => total + (x - meanX) * (y - meanY), 0)
  const variance = ys.reduce((total, _, x) => total + (x - meanX) ** 2, 0)
  return covariance / variance
}
