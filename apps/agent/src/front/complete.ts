import type { ChatCompletion, ChatRequest } from '@atrium/agent-protocol'
import { type Engine, RequestRefused } from '../engines/engine.ts'
import { Refusal } from './refusal.ts'
import { answerOf, issueOf, withCorrection, withUsageOf } from './tool-calls.ts'

/** Counts first where the engine can: some cut a prompt that is too long without a word. */
export async function refuseOverflow(
  engine: Engine,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<void> {
  const tokens = await engine.countTokens(request, signal)
  if (tokens === undefined || tokens < engine.contextTokens) return
  throw new Refusal(
    'context_length_exceeded',
    `The request has ${tokens} tokens. Together with its answer it must fit into ${engine.contextTokens}.`,
    { param: 'messages' },
  )
}

/**
 * An answer that keeps the contract: calls of the right tools with arguments that fit. The model gets one more chance,
 * with what was wrong; after that we say so (502) rather than pass it on.
 */
export async function completeChecked(
  engine: Engine,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatCompletion> {
  const first = await engine.complete(request, signal)
  const issue = issueOf(answerOf(first), request)
  if (issue === undefined) return first
  if (answerOf(first).finishReason === 'length') throw cutOff(issue)
  const second = await tryAgain(engine, withCorrection(request, answerOf(first), issue), signal)
  if (second === undefined) throw new Refusal('invalid_tool_call', issue)
  const remaining = issueOf(answerOf(second), request)
  if (remaining !== undefined) throw new Refusal('invalid_tool_call', remaining)
  return withUsageOf(second, first)
}

/** Undefined if the longer conversation does not fit. */
async function tryAgain(
  engine: Engine,
  request: ChatRequest,
  signal: AbortSignal,
): Promise<ChatCompletion | undefined> {
  try {
    await refuseOverflow(engine, request, signal)
    return await engine.complete(request, signal)
  } catch (error) {
    if (error instanceof RequestRefused || (error instanceof Refusal && error.status === 400))
      return undefined
    throw error
  }
}

/** Another attempt would be cut off at the same place. */
export const cutOff = (issue: string): Refusal =>
  new Refusal(
    'invalid_tool_call',
    `${issue} The answer was cut off: raise max_tokens, or shorten the request.`,
  )
