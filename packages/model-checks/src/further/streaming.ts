import { modelServerPaths } from '@atrium/agent-protocol'
import { ask, type Endpoint } from '../endpoint/endpoint.ts'
import { readJson } from '../endpoint/read-json.ts'
import { readCall } from '../respond/read-call.ts'
import { respondRequest } from '../respond/respond-request.ts'
import { reassemble } from '../respond/streamed-call.ts'
import { formatMs, toTenth } from '../statistics.ts'
import type { FurtherCheck } from './further-check.ts'

/** The deltas of a streamed answer make a valid call; measures the time to the first of them. */
export async function checkStreaming(endpoint: Endpoint, model: string | undefined): Promise<FurtherCheck> {
  const { clock, apiKey } = endpoint
  const streamed = reassemble()
  const startedAt = clock.now()
  let firstTokenMs: number | undefined
  const answer = await ask(endpoint, {
    path: modelServerPaths.chatCompletions,
    key: apiKey,
    body: { ...respondRequest(model, 205), stream: true },
    onText(text) {
      if (streamed.add(text)) firstTokenMs ??= clock.now() - startedAt
    },
  })
  const warn = (message: string): FurtherCheck => ({ name: 'streaming', ok: false, message })
  if (answer.kind !== 'answered' || answer.status !== 200) {
    const problem = readJson(answer, 'chat/completions', endpoint)
    return warn(`streamed: ${problem.kind === 'problem' ? problem.message : 'no stream'}`)
  }
  if (answer.format !== 'stream') return warn('"stream": true was ignored: the answer came in one piece')
  const unreadable = streamed.problem()
  if (unreadable !== undefined) return warn(`streamed: ${unreadable}`)
  const call = readCall(streamed.completion(), apiKey)
  if (call.kind === 'problem') return warn(`streamed: ${call.message}`)
  if (!streamed.isDone()) return warn('the stream ends without “data: [DONE]”, which clients wait for')
  const figures = { firstTokenMs: toTenth(firstTokenMs ?? 0) }
  return {
    name: 'streaming',
    ok: true,
    message: `streamed deltas make a valid call; the first came after ${formatMs(figures.firstTokenMs)}`,
    figures,
  }
}
