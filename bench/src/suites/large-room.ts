import { fileURLToPath } from 'node:url'
import type { ExperimentDefinition } from '@atrium/contract'
import { startServer } from '@atrium/testkit'
import { startEngine } from '../harness/engines.ts'
import { cpuMicrosOf, percentile } from '../harness/measure.ts'
import { startLoad } from '../load/http-load.ts'
import { type LargeRoomOutcome, startLargeRoomLoad } from '../load/large-room-load.ts'
import type { BenchOptions } from '../options.ts'
import { type Finding, findingLines } from '../report/finding.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'
import { broadcastRoom } from '../targets/broadcasts.ts'
import { startRoomServer } from '../targets/room-server.ts'

interface SizeResult {
  people: number
  /** Coming in: handshake, log entry, snapshot, and what the others are told. */
  arrival: Cost
  /** Messages and answers at a steady rate. */
  steady: Cost & Pick<LargeRoomOutcome, 'acknowledgedMs' | 'deliveredMs' | 'deliveries'>
  /** Everybody answers at once, and everybody gets a page with the mean of what the others gave. */
  round: Cost & { ms: number }
  rawCpuMicrosPerDelivery: number
}

interface Cost {
  cpuMicros: number
  /** Of people, or of actions. */
  count: number
  packets: number
  bytes: number
}

const sizes = [4, 20, 100, 500] as const
/** R73 */
const actionsPerSecond = 10
const targetP99Ms = 150
const rawDeliveriesPerSecond = 20_000

/** One clock, a chat and an answer from everyone; then the results of all of them. */
const study = (people: number): ExperimentDefinition => ({
  name: 'A lecture hall',
  states: [
    {
      id: 'guess',
      instructions:
        'Everybody guessed {{round(crowd, 1)}} on average, the others {{round(mean(others.guess), 1)}}.',
      components: [
        { id: 'guess', type: 'slider', saveTo: 'guess' },
        { id: 'chat', type: 'chat' },
      ],
      end: { on: 'all_responded', afterMs: 3_600_000 },
      onEnd: { crowd: 'mean(responses.guess)' },
    },
  ],
  blocks: [{ id: 'rounds', states: ['guess'], rounds: 1_000 }],
  variables: { crowd: 0, guess: { scope: 'participant', initial: 0 } },
  matching: { groupSize: people },
  dropout: { policy: 'wait', graceMs: 600_000 },
})

export async function benchLargeRoom(options: BenchOptions): Promise<SizeResult[]> {
  const results: SizeResult[] = []
  for (const people of sizes) results.push(await measureSize(people, options))
  return results
}

async function measureSize(people: number, options: BenchOptions): Promise<SizeResult> {
  const stops: (() => Promise<unknown>)[] = []
  try {
    const load = await startLoad()
    stops.push(load.stop)
    const { profileFolder, beforeFolder } = options
    const checkout = beforeFolder ? { checkout: beforeFolder } : { profileFolder }
    const room = { definition: study(people), people, ...checkout }
    const world = await startRoomServer(await startEngine('sqlite'), load, room)
    stops.push(world.stop)
    const sockets = await world.makeRooms(await world.join(people))
    const crowd = await startLargeRoomLoad()
    stops.push(crowd.stop)
    const costOf = async (order: Parameters<typeof crowd.run>[0]) => {
      const before = cpuMicrosOf(world.pid)
      const outcome = await crowd.run(order)
      return { ...outcome, cpuMicros: cpuMicrosOf(world.pid) - before, count: outcome.actions }
    }
    const arrival = { ...(await costOf({ kind: 'open', sockets })), count: people }
    await costOf({ kind: 'round' }) // Warm-up
    const steady = await costOf({ kind: 'play', perSecond: actionsPerSecond, ms: options.seconds * 1000 })
    await costOf({ kind: 'round' }) // The rest of those who have not answered.
    const round = await costOf({ kind: 'round' })
    const rawCpuMicrosPerDelivery = await rawFloor(people, options.seconds)
    return { people, arrival, steady, round, rawCpuMicrosPerDelivery }
  } finally {
    for (const stop of stops.reverse()) await stop()
  }
}

/** One room of as many raw sockets, to which a message is sent again and again. */
async function rawFloor(people: number, seconds: number): Promise<number> {
  const entry = fileURLToPath(new URL('../targets/raw-ws.ts', import.meta.url))
  const server = await startServer({ entry })
  const crowd = await startLargeRoomLoad()
  try {
    const socket = { address: server.http, roomId: broadcastRoom(0), auth: null }
    await crowd.run({ kind: 'open', sockets: Array.from({ length: people }, () => socket) })
    const perSecond = Math.ceil(rawDeliveriesPerSecond / people)
    const count = Math.ceil(perSecond * seconds)
    const before = cpuMicrosOf(server.pid)
    await fetch(`${server.http}/?rooms=1&perSecond=${perSecond}&count=${count}`, { method: 'POST' })
    await crowd.run({ kind: 'await', messages: count * people })
    return (cpuMicrosOf(server.pid) - before) / (count * people)
  } finally {
    await crowd.stop()
    await server.stop()
  }
}

const perOne = ({ cpuMicros, count }: Cost): number => cpuMicros / count
const figure = (value: number, digits = 0): string => value.toFixed(digits)

export function renderLargeRoom(results: SizeResult[]): Section {
  const latencies = results.map(({ people, steady }) => [
    String(people),
    ...[steady.acknowledgedMs, steady.deliveredMs].flatMap((sorted) =>
      [0.5, 0.99].map((share) => figure(percentile(sorted, share), 1)),
    ),
  ])
  const costs = results.map(({ people, arrival, steady, round, rawCpuMicrosPerDelivery }) => [
    String(people),
    figure(perOne(arrival)),
    figure(arrival.packets / people, 1),
    figure(arrival.bytes / people / 1024, 1),
    figure(perOne(steady)),
    figure(steady.cpuMicros / steady.deliveries, 1),
    figure(rawCpuMicrosPerDelivery, 1),
    figure(perOne(round)),
    figure(round.packets / people, 1),
    figure(round.ms),
  ])
  const largest = results.at(-1)
  const findings: Finding[] = largest
    ? [
        {
          what: `${largest.people} in one room, ${actionsPerSecond} actions a second, action to delivery, p99`,
          value: percentile(largest.steady.deliveredMs, 0.99),
          digits: 1,
          unit: 'ms',
          most: targetP99Ms,
        },
        {
          what: `${largest.people} in one room, CPU per delivery, Atrium ÷ raw ws`,
          value: largest.steady.cpuMicros / largest.steady.deliveries / largest.rawCpuMicrosPerDelivery,
        },
      ]
    : []
  const text = `### Large rooms: messages and answers in one room, ${actionsPerSecond} actions a second

${table(
  ['people', 'action to acknowledgement p50 ms', 'p99 ms', 'action to delivery p50 ms', 'p99 ms'],
  latencies,
)}

${table(
  [
    'people',
    'CPU µs per arrival',
    'packets each',
    'KiB each',
    'CPU µs per action',
    'CPU µs per delivery',
    'raw ws µs per delivery',
    'all answer at once: CPU µs per answer',
    'packets each',
    'until everybody has the next page ms',
  ],
  costs,
)}

${findingLines(findings)}
- Every second action is a message to everyone, every other an answer; once all have answered, everyone gets the next page
  with the mean. The CPU per action includes the idle server, which counts where actions are few.
`
  return { text, findings }
}
