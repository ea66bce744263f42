import {
  createApi,
  createPerson,
  createResearcher,
  openRoomSocket,
  openSyncSocket,
  type SocketSession,
  startServer,
  startSlowLine,
} from '@atrium/testkit'
import { percentile } from '../harness/measure.ts'
import { type Finding, findingLines } from '../report/finding.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'

export interface ClockResult {
  lines: LineResult[]
  /** Half the shortest round trip of a measurement on loopback: its error cannot be larger. */
  worstBoundMs: number
}

interface LineResult {
  name: string
  measurements: number
  rttMs: number
  /** Distance of each measurement from the best of all on loopback. */
  errorMs: Record<MethodName, Spread>
}

interface Spread {
  p50: number
  p95: number
  worst: number
}

const methods = ['one ping', 'best of 8'] as const
type MethodName = (typeof methods)[number]

const people = 20
/** More on loopback, where they take no time and the worst of them counts. */
const burstsPerPerson = { near: 7, far: 2 }
const pingsPerBurst = 8
/** What each direction takes, as in the benchmark of playback in step. */
export const slowLines = [
  { name: '10 ± 2 ms', delayMs: 10, jitterMs: 2 },
  { name: '30 ± 5 ms', delayMs: 30, jitterMs: 5 },
  { name: '60 ± 20 ms', delayMs: 60, jitterMs: 20 },
]
const maxWorstMs = 1
const maxShareOfRtt = 0.15

interface Sample {
  offsetMs: number
  rttMs: number
}

const shortest = (samples: Sample[]): Sample =>
  samples.reduce((best, one) => (one.rttMs < best.rttMs ? one : best))

/** How well a client learns the server's time, on the same machine and over slow lines: one ping, and the quickest of eight. */
export async function benchClock(): Promise<ClockResult> {
  const server = await startServer({})
  try {
    const api = createApi(server.http)
    const experimentId = await (await createResearcher(api)).openExperiment()
    // Different people each time: pings are limited for each participant.
    const join = async () => await (await createPerson(api)).join(experimentId)
    const near = await measure(server.http, server.http, join)
    const { offsetMs } = shortest(near.flat())
    const lines = [resultOf('loopback', near, offsetMs)]
    for (const { name, ...line } of slowLines) {
      const { http, stop } = await startSlowLine(server.http, line)
      lines.push(resultOf(name, await measure(server.http, http, join), offsetMs))
      await stop()
    }
    return { lines, worstBoundMs: Math.max(...near.map((burst) => shortest(burst).rttMs / 2)) }
  } finally {
    await server.stop()
  }
}

async function measure(
  server: string,
  line: string,
  join: () => Promise<SocketSession>,
): Promise<Sample[][]> {
  const bursts: Sample[][] = []
  for (let person = 0; person < people; person++) {
    const session = await join()
    // A room where nobody is present goes to rest.
    const room = await openRoomSocket(server, session)
    const socket = await openSyncSocket(line, session)
    for (let burst = 0; burst < burstsPerPerson[line === server ? 'near' : 'far']; burst++) {
      const samples: Sample[] = []
      for (let ping = 0; ping < pingsPerBurst; ping++) {
        const { t0, t1, t2, t3 } = await socket.ping()
        samples.push({ offsetMs: (t1 - t0 + t2 - t3) / 2, rttMs: t3 - t0 - (t2 - t1) })
      }
      bursts.push(samples)
    }
    socket.close()
    room.close()
  }
  return bursts
}

function resultOf(name: string, bursts: Sample[][], offsetMs: number): LineResult {
  const sorted = (numbers: number[]) => new Float64Array(numbers).sort()
  const spread = (samples: Sample[]): Spread => {
    const errors = sorted(samples.map((one) => Math.abs(one.offsetMs - offsetMs)))
    return { p50: percentile(errors, 0.5), p95: percentile(errors, 0.95), worst: errors.at(-1) ?? Number.NaN }
  }
  const first = bursts.flatMap((samples) => samples.slice(0, 1))
  return {
    name,
    measurements: bursts.length,
    rttMs: percentile(sorted(bursts.flat().map(({ rttMs }) => rttMs)), 0.5),
    errorMs: { 'one ping': spread(first), 'best of 8': spread(bursts.map(shortest)) },
  }
}

export function renderClock({ lines, worstBoundMs }: ClockResult): Section {
  const rows = lines.flatMap(({ name, rttMs, errorMs }) =>
    methods.map((method) => {
      const { p50, p95, worst } = errorMs[method]
      return [
        `${name}, ${method}`,
        rttMs.toFixed(1),
        ...[p50, p95, worst].map((ms) => ms.toFixed(3)),
        (p95 / rttMs).toFixed(3),
      ]
    }),
  )
  const [near, ...far] = lines
  const worstMs = near?.errorMs['best of 8'].worst ?? Number.NaN
  const share = Math.max(...far.map(({ rttMs, errorMs }) => errorMs['best of 8'].p95 / rttMs))
  const findings: Finding[] = [
    { what: 'Clock, best of 8 on loopback, worst', value: worstMs, digits: 3, unit: 'ms', most: maxWorstMs },
    {
      what: 'Clock, best of 8 over slow lines, p95 ÷ round trip',
      value: share,
      digits: 3,
      most: maxShareOfRtt,
    },
  ]
  const text = `### The clock of \`/sync\`

${table(['line, measurement', 'round trip ms', 'p50 ms', 'p95 ms', 'worst ms', 'p95 ÷ round trip'], rows)}

${findingLines(findings)}
- ${near?.measurements} measurements on loopback and ${far[0]?.measurements} over each line by ${people} clients, one after another, compared with the quickest ping on loopback. A slow line
  delays each direction by as much as its name says. Half the round trip bounds the error of a measurement: on loopback
  at most ${worstBoundMs.toFixed(3)} ms for the best of 8.
`
  return { text, findings }
}
