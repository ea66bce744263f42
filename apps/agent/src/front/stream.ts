import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { ChatChunk, ChatRequest, ToolCall } from '@atrium/agent-protocol'
import type { Engine } from '../engines/engine.ts'
import { cutOff } from './complete.ts'
import { Refusal } from './refusal.ts'
import { issueOf } from './tool-calls.ts'

/**
 * Sends the answer as it comes. What fails before the first piece is a plain error with its status; afterwards it is an
 * event, as OpenAI sends it, and no `[DONE]` follows. What has been sent cannot be taken back, so there is no second
 * chance here: calls are checked before the piece that says that the answer is finished.
 * Returns what went wrong in the middle, for the log.
 */
export async function streamChecked(
  engine: Engine,
  request: ChatRequest,
  response: ServerResponse,
  signal: AbortSignal,
  explain: (error: unknown) => Promise<Refusal>,
): Promise<Refusal | undefined> {
  const chunks = engine.stream(request, signal)[Symbol.asyncIterator]()
  const answer = createAssembly()
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      answer.add(next.value)
      if (answer.isFinished(next.value)) refuseIssue(answer, request)
      if (!response.headersSent) response.writeHead(200, streamHeaders)
      await send(response, JSON.stringify(next.value), signal)
    }
    refuseIssue(answer, request)
    if (!response.headersSent) throw new Refusal('engine_failed', 'The engine answered with nothing.')
    await send(response, '[DONE]', signal)
    response.end()
    return undefined
  } catch (error) {
    if (!response.headersSent || response.destroyed) throw error
    const refusal = await explain(error)
    response.end(`data: ${JSON.stringify(refusal.body)}\n\n`)
    return refusal
  } finally {
    await chunks.return?.()
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no', // Proxies must pass every piece on at once.
}

/** Waits while the client does not read, so that a slow one does not fill our memory. */
async function send(response: ServerResponse, data: string, signal: AbortSignal): Promise<void> {
  if (!response.write(`data: ${data}\n\n`)) await once(response, 'drain', { signal })
}

function refuseIssue(answer: Assembly, request: ChatRequest): void {
  const { finishReason } = answer
  const issue = issueOf({ content: null, calls: answer.calls(), finishReason }, request)
  if (issue === undefined) return
  throw finishReason === 'length' ? cutOff(issue) : new Refusal('invalid_tool_call', issue)
}

interface Assembly {
  readonly finishReason: string | null
  add(chunk: ChatChunk): void
  isFinished(chunk: ChatChunk): boolean
  calls(): ToolCall[]
}

/** The calls so far, of which each chunk brings a piece. */
function createAssembly(): Assembly {
  const calls = new Map<number, { id: string; name: string; pieces: string[] }>()
  let finishReason: string | null = null
  return {
    get finishReason() {
      return finishReason
    },
    add({ choices }) {
      finishReason = choices[0]?.finish_reason ?? finishReason
      for (const { index, id, function: called } of choices[0]?.delta.tool_calls ?? []) {
        const call = calls.get(index) ?? { id: '', name: '', pieces: [] }
        call.id ||= id ?? ''
        call.name ||= called?.name ?? ''
        if (called?.arguments !== undefined) call.pieces.push(called.arguments)
        calls.set(index, call)
      }
    },
    isFinished: ({ choices }) => (choices[0]?.finish_reason ?? null) !== null,
    calls: () =>
      [...calls.values()].map(({ id, name, pieces }) => ({
        id,
        type: 'function',
        function: { name, arguments: pieces.join('') },
      })),
  }
}
