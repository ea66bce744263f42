import { modelServerPaths } from '@atrium/agent-protocol'
import { type ModelCheck, modelTimeoutMs } from '@atrium/contract'
import { ask, type Endpoint } from '../endpoint/endpoint.ts'
import { askRespond, type RespondResult } from '../respond/ask-respond.ts'
import { respondRequest } from '../respond/respond-request.ts'
import { formatMs, mean, percentile, toTenth } from '../statistics.ts'
import { completionTokens, formatRate, rate } from './tool-calling.ts'

/** With fewer, a 95th percentile is only the slowest request. */
const minSamples = 24
const minWaves = 3

/** Cloudflare answers 524 itself when the origin takes about 100 s. */
const tunnelLimitMs = 90_000

/** Below this, the time of the network hides whether requests overlap. */
const measurableMs = 50
const wayAttempts = 3
/** How many times faster than one after the other requests have to be. */
const minOverlap = 1.5

export const samplesFor = (parallel: number): number => wavesFor(parallel) * parallel
const wavesFor = (parallel: number): number => Math.max(minWaves, Math.ceil(minSamples / parallel))

type Sample = { latencyMs: number; problem?: string }
type Measured = {
  waves: Sample[][]
  tokens: number
  wallMs: number
  parallel: number
  aloneMs: number
  /** The part of a request's time in which the server does nothing for it. */
  wayMs: number
}

/** Several waves of requests at the same time, all of which have to be answered properly. */
export async function checkConcurrency(
  endpoint: Endpoint,
  model: string | undefined,
  parallel: number,
  aloneMs: number,
  onStep: () => void,
): Promise<ModelCheck> {
  const wayMs = await measureWay(endpoint)
  const measured: Measured = { waves: [], tokens: 0, wallMs: 0, parallel, aloneMs, wayMs }
  for (let wave = 0; wave < wavesFor(parallel); wave++) {
    const startedAt = endpoint.clock.now()
    const requests = Array.from({ length: parallel }, async (_, index) => {
      const result = await askRespond(endpoint, respondRequest(model, 100 + wave * parallel + index))
      onStep()
      return result
    })
    const results = await Promise.all(requests)
    measured.wallMs += endpoint.clock.now() - startedAt
    measured.waves.push(results.map(sampleOf))
    for (const result of results)
      if (result.kind === 'completed') measured.tokens += completionTokens(result.completion)
  }
  return judge(measured)
}

/**
 * How long it takes to get there and back, with a new connection as for every request. Through a tunnel that may be most of the
 * time, and it always overlaps: it would hide that the answers do not.
 */
async function measureWay(endpoint: Endpoint): Promise<number> {
  const times: number[] = []
  for (let attempt = 0; attempt < wayAttempts; attempt++) {
    const answer = await ask(endpoint, { path: modelServerPaths.models, key: endpoint.apiKey })
    if (answer.kind === 'answered') times.push(answer.latencyMs)
  }
  return times.length === 0 ? 0 : Math.min(...times)
}

function sampleOf(result: RespondResult): Sample {
  // A request that was cut off took at least that long; any other failure took no time that means something.
  if (result.kind === 'problem')
    return { latencyMs: result.timedOut ? modelTimeoutMs.max + 1 : 0, problem: result.message }
  const { call, latencyMs } = result
  return call.kind === 'call' ? { latencyMs } : { latencyMs, problem: call.message }
}

function judge(measured: Measured): ModelCheck {
  const { waves, tokens, wallMs, parallel, aloneMs } = measured
  const isMeasurable = parallel >= 4 && aloneMs - measured.wayMs >= measurableMs
  const wayMs = isMeasurable ? measured.wayMs : 0
  const samples = waves.flat()
  const latencies = samples.map(({ latencyMs }) => latencyMs)
  const [p50Ms, p95Ms] = [percentile(latencies, 50), percentile(latencies, 95)]
  const oneByOneMs = parallel * (aloneMs - wayMs) * waves.length
  const overlap = toTenth(oneByOneMs / Math.max(wallMs - wayMs * waves.length, Number.EPSILON))
  const tokensPerSecond = rate(tokens, wallMs)
  const figures = {
    parallel,
    requests: samples.length,
    p50Ms: toTenth(p50Ms),
    p95Ms: toTenth(p95Ms),
    overlap,
    ...(tokensPerSecond !== undefined && { tokensPerSecond }),
  }
  const failed = (message: string): ModelCheck => ({ name: 'concurrency', ok: false, message, figures })
  const problems = samples.flatMap(({ problem }) => problem ?? [])
  if (p95Ms > modelTimeoutMs.max)
    return failed(
      `p95 of ${formatMs(p95Ms)} with ${parallel} requests at the same time exceeds the platform's 300s maximum timeout. Use a smaller model or faster hardware, or run fewer agents at the same time.`,
    )
  if (problems[0] !== undefined)
    return failed(
      `request failed under load (${problems.length} of ${samples.length}, ${parallel} at the same time): ${problems[0]}`,
    )
  const pace = isMeasurable && overlap < minOverlap ? toTenth(parallel / overlap) : undefined
  if (pace !== undefined && endOneByOne(waves, wayMs))
    return failed(
      `the server runs requests one at a time, which the contract rules out: ${parallel} together take ${pace} times as long as one, and end one after the other. Let it run several at once (llama-server: -np; vLLM: --max-num-seqs).`,
    )
  const warning = warningsAbout(p95Ms, parallel, pace)
  return {
    name: 'concurrency',
    ok: true,
    message: `p50 ${formatMs(p50Ms)}, p95 ${formatMs(p95Ms)} with ${parallel} requests at the same time${formatRate(tokensPerSecond)}`,
    ...(warning !== '' && { warning }),
    figures,
  }
}

/**
 * One at a time, the first answer comes as early as if it were alone, and half of them in half of the time. A server that works
 * on all of them, but has no power in reserve, takes as long in the end, and its answers come together.
 */
function endOneByOne(waves: Sample[][], wayMs: number): boolean {
  const share = (percent: number): number =>
    mean(
      waves.map((wave) => {
        const latencies = wave.map(({ latencyMs }) => Math.max(latencyMs - wayMs, Number.EPSILON))
        // Not the last: on a busy machine a single answer may come late.
        return percentile(latencies, percent) / percentile(latencies, 75)
      }),
    )
  return share(0) <= 2 / (waves[0]?.length ?? 1) && share(50) <= 0.8
}

function warningsAbout(p95Ms: number, parallel: number, pace: number | undefined): string {
  const warnings: string[] = []
  if (p95Ms > modelTimeoutMs.default)
    warnings.push(
      `p95 of ${formatMs(p95Ms)} is above the 60s default; raise the credential's timeoutMs to ${suggestedTimeoutMs(p95Ms)}.`,
    )
  if (p95Ms > tunnelLimitMs)
    warnings.push(
      `A tunnel of Cloudflare cuts requests after about 100 s, and p95 is ${formatMs(p95Ms)}: through a tunnel some of them will fail.`,
    )
  if (pace !== undefined)
    warnings.push(
      `${parallel} requests together take ${pace} times as long as one: the server gains nothing from working on several at once. Check that it may (llama-server: -np; vLLM: --max-num-seqs) and that the machine has power in reserve.`,
    )
  return warnings.join(' ')
}

/** A fifth more than was measured, in steps of ten seconds. */
const suggestedTimeoutMs = (p95Ms: number): number =>
  Math.min(modelTimeoutMs.max, Math.ceil((p95Ms * 1.2) / 10_000) * 10_000)
