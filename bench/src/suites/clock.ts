import { createApi, createPerson, createResearcher, openSyncSocket, startServer } from '@atrium/testkit'
import { percentile } from '../harness/measure.ts'
import { table } from '../report/report.ts'

export interface ClockResult {
  measurements: number
  /** Distance of each measurement from the best of them all. */
  errorMs: Record<MethodName, { p50: number; p95: number; worst: number }>
  /** Half the shortest round trip of a measurement: its error cannot be larger. */
  worstBoundMs: number
}

const methods = ['one ping', 'best of 8'] as const
type MethodName = (typeof methods)[number]

const people = 20
const burstsPerPerson = 7
const pingsPerBurst = 8

interface Sample {
  offsetMs: number
  rttMs: number
}

const shortest = (samples: Sample[]): Sample =>
  samples.reduce((best, one) => (one.rttMs < best.rttMs ? one : best))

/** How well a client on the same machine learns the server's time: one ping, and the quickest of eight. */
export async function benchClock(): Promise<ClockResult> {
  const server = await startServer({})
  try {
    const api = createApi(server.http)
    const experimentId = await (await createResearcher(api)).openExperiment()
    const bursts: Sample[][] = []
    for (let index = 0; index < people; index++) {
      const session = await (await createPerson(api)).join(experimentId)
      const socket = await openSyncSocket(server.http, session)
      for (let burst = 0; burst < burstsPerPerson; burst++) {
        const samples: Sample[] = []
        for (let ping = 0; ping < pingsPerBurst; ping++) {
          const { t0, t1, t2, t3 } = await socket.ping()
          samples.push({ offsetMs: (t1 - t0 + t2 - t3) / 2, rttMs: t3 - t0 - (t2 - t1) })
        }
        bursts.push(samples)
      }
      socket.close()
    }
    return resultOf(bursts)
  } finally {
    await server.stop()
  }
}

function resultOf(bursts: Sample[][]): ClockResult {
  const best = bursts.map(shortest)
  const { offsetMs } = shortest(best)
  const spread = (samples: Sample[]) => {
    const errors = new Float64Array(samples.map((one) => Math.abs(one.offsetMs - offsetMs))).sort()
    return { p50: percentile(errors, 0.5), p95: percentile(errors, 0.95), worst: errors.at(-1) ?? Number.NaN }
  }
  const first = bursts.flatMap((samples) => samples.slice(0, 1))
  return {
    measurements: bursts.length,
    errorMs: { 'one ping': spread(first), 'best of 8': spread(best) },
    worstBoundMs: Math.max(...best.map(({ rttMs }) => rttMs / 2)),
  }
}

export function renderClock({ measurements, errorMs, worstBoundMs }: ClockResult): string {
  const rows = methods.map((name) => {
    const { p50, p95, worst } = errorMs[name]
    return [name, ...[p50, p95, worst].map((ms) => ms.toFixed(3))]
  })
  return `## The clock of \`/sync\`, on loopback

${table(['measurement', 'p50 ms', 'p95 ms', 'worst ms'], rows)}

- ${measurements} measurements by ${people} clients, one after another, compared with the quickest of all pings. Half the round
  trip bounds the error of a measurement: at most ${worstBoundMs.toFixed(3)} ms for the best of 8.
`
}
