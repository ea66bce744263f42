import { fileURLToPath } from 'node:url'
import { type Server, startServer } from '@atrium/testkit'
import { cpuMicrosOf, percentile } from '../harness/measure.ts'
import { type Load, type LoadOrder, refuseFailures, startLoad } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { type Finding, findingLines } from '../report/finding.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'

const clientCounts = [1, 8, 32] as const
type ClientCount = (typeof clientCounts)[number]

interface WayFigures {
  perSecond: number
  p50Ms: number
  requests: number
  /** Of the front alone; the engine's is not ours. */
  frontCpuMicros: number
}

export interface AgentFrontResult {
  clients: ClientCount
  direct: WayFigures
  front: WayFigures
}

const key = 'atr_bench'
const maxOverheadMs = 1

/** A turn of an agent, as the platform sends it: a perception of about 4 kB and the tool `respond`. */
const turn = JSON.stringify({
  model: 'bench',
  messages: [
    { role: 'system', content: 'You take part in a study. '.repeat(20) },
    {
      role: 'user',
      content: JSON.stringify({ v: 1, events: Array(40).fill({ from: 'p_1', content: 'Hello there' }) }),
    },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'respond',
        description: 'Give your answer',
        parameters: {
          type: 'object',
          properties: {
            choice: { enum: ['left', 'right'] },
            rating: { type: 'integer', minimum: 1, maximum: 7 },
            message: { type: 'string', maxLength: 500 },
          },
          required: ['choice'],
          additionalProperties: false,
        },
      },
    },
  ],
  tool_choice: { type: 'function', function: { name: 'respond' } },
})

/** Requests to a model server that answers at once, directly and through the front, in turns. */
export async function benchAgentFront(options: BenchOptions): Promise<AgentFrontResult[]> {
  const load = await startLoad()
  const engine = await startServer({
    entry: fileURLToPath(new URL('../targets/model-backend.ts', import.meta.url)),
  })
  try {
    const front = await startServer({
      entry: fileURLToPath(new URL('../targets/front-program.ts', import.meta.url)),
      env: { MODEL_URL: `${engine.http}/v1`, FRONT_KEY: key },
    })
    try {
      const results: AgentFrontResult[] = []
      for (const clients of clientCounts) results.push(await compare(load, engine, front, clients, options))
      return results
    } finally {
      await front.stop()
    }
  } finally {
    await engine.stop()
    await load.stop()
  }
}

/** Short turns, because the machine's speed changes from minute to minute and neighbours in time are comparable. */
const turnsPerRound = 4

async function compare(
  load: Load,
  engine: Server,
  front: Server,
  clients: ClientCount,
  { rounds, seconds }: BenchOptions,
): Promise<AgentFrontResult> {
  const ways = { direct: emptyTotal(), front: emptyTotal() }
  const servers = { direct: engine, front }
  const maxMs = (seconds * 1000) / turnsPerRound / clientCounts.length
  for (let turnIndex = -turnsPerRound; turnIndex < rounds * turnsPerRound; turnIndex++)
    for (const way of ['direct', 'front'] as const) {
      const before = cpuMicrosOf(front.pid)
      const order: LoadOrder = {
        address: servers[way].http,
        method: 'POST',
        path: '/v1/chat/completions',
        clients,
        maxMs,
        maxRequests: Number.MAX_SAFE_INTEGER,
        firstLane: 0,
        lanes: [{ headers: { authorization: `Bearer ${key}` } }],
        body: turn,
        collect: false,
      }
      const { requests, ms, latenciesMs, failures } = await load.run(order)
      refuseFailures(failures, order.path)
      if (turnIndex < 0) continue // The first round is the warm-up.
      const total = ways[way]
      total.requests += requests
      total.ms += ms
      total.frontCpuMicros += cpuMicrosOf(front.pid) - before
      total.latenciesMs.push(...latenciesMs)
    }
  return { clients, direct: figuresOf(ways.direct), front: figuresOf(ways.front) }
}

const emptyTotal = () => ({ requests: 0, ms: 0, frontCpuMicros: 0, latenciesMs: [] as number[] })

const figuresOf = ({
  requests,
  ms,
  frontCpuMicros,
  latenciesMs,
}: ReturnType<typeof emptyTotal>): WayFigures => ({
  requests,
  perSecond: (requests * 1000) / ms,
  p50Ms: percentile(new Float64Array(latenciesMs).sort(), 0.5),
  frontCpuMicros: frontCpuMicros / requests,
})

export function renderAgentFront(results: AgentFrontResult[]): Section {
  const rows = results.flatMap(({ clients, direct, front }) => [
    row(`${clients} in parallel, direct`, direct, '-'),
    row(`${clients} in parallel, front`, front, front.frontCpuMicros.toFixed(0)),
  ])
  const alone = results.find(({ clients }) => clients === 1)
  const overheadMs = alone === undefined ? Number.NaN : alone.front.p50Ms - alone.direct.p50Ms
  const findings: Finding[] = [
    {
      what: 'Overhead per request, p50 with one client',
      value: overheadMs,
      unit: 'ms',
      most: maxOverheadMs,
    },
    ...results.map(({ clients, direct, front }) => ({
      what: `Requests/s, front ÷ direct, ${clients} in parallel`,
      value: front.perSecond / direct.perSecond,
    })),
  ]
  const text = `## Agent tool: the front before a model server

${table(['way', 'requests/s', 'p50 ms', 'front CPU µs/request', 'measured'], rows)}

${findingLines(findings)}
- The model server answers at once with the same call, so that only the front is measured; a real one takes seconds. A request
  has about 4 kB, and one tool whose schema the answer is checked against.
`
  return { text, findings }
}

const row = (name: string, { perSecond, p50Ms, requests }: WayFigures, cpu: string): string[] => [
  name,
  perSecond.toFixed(0),
  p50Ms.toFixed(2),
  cpu,
  String(requests),
]
