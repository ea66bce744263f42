import type { ModelCheck } from '@atrium/contract'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { askRespond } from '../respond/ask-respond.ts'
import type { Completion } from '../respond/read-call.ts'
import { respondRequest } from '../respond/respond-request.ts'
import { formatMs, percentile, toTenth } from '../statistics.ts'

export interface ToolCalling {
  check: ModelCheck
  /** The time that one request takes alone; undefined if it failed. */
  aloneMs?: number
}

/** One good answer proves little: small models get every second call right. */
export const respondAttempts = 10
/** Enough to know; the rest would only make the operator wait. */
const enoughFailures = 3

/** One after the other, so that the times are those of a server without other work. */
export async function checkToolCalling(
  endpoint: Endpoint,
  model: string | undefined,
  onStep: () => void,
): Promise<ToolCalling> {
  const latencies: number[] = []
  const problems: string[] = []
  let tokens = 0
  let asked = 0
  while (asked < respondAttempts && problems.length < enoughFailures) {
    asked += 1
    const result = await askRespond(endpoint, respondRequest(model, asked))
    onStep()
    if (result.kind === 'problem') return failed(result.message)
    latencies.push(result.latencyMs)
    tokens += completionTokens(result.completion)
    if (result.call.kind === 'problem') problems.push(result.call.message)
  }
  const [first] = problems
  if (first !== undefined) return failed(`${first} (${problems.length} of ${asked} answers)`)
  const aloneMs = percentile(latencies, 50)
  const tokensPerSecond = rate(tokens, sum(latencies))
  return {
    check: {
      name: 'tool_calling',
      ok: true,
      message: `${asked} of ${asked} answers call respond with valid arguments; one takes ${formatMs(aloneMs)}${formatRate(tokensPerSecond)}`,
      figures: {
        requests: asked,
        p50Ms: toTenth(aloneMs),
        ...(tokensPerSecond !== undefined && { tokensPerSecond }),
      },
    },
    aloneMs,
  }
}

const failed = (message: string): ToolCalling => ({ check: { name: 'tool_calling', ok: false, message } })

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

export const completionTokens = (completion: Completion | undefined): number =>
  Math.max(0, completion?.usage?.completion_tokens ?? 0)

export const formatRate = (tokensPerSecond: number | undefined): string =>
  tokensPerSecond === undefined ? '' : `, ${tokensPerSecond} tokens/s`

/** Undefined when the server does not count, or the clock was too coarse. */
export function rate(tokens: number, ms: number): number | undefined {
  const perSecond = toTenth((tokens / ms) * 1_000)
  return tokens > 0 && Number.isFinite(perSecond) ? perSecond : undefined
}
