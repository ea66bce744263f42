import { createHash } from 'node:crypto'
import {
  type AgentReply,
  messagesFor,
  readReply,
  respondToolFor,
  scriptedReply,
  withRetry,
} from '@atrium/agent-protocol'
import type { Clock } from '../../../kernel/clock.ts'
import { newCallId } from '../../../kernel/ids.ts'
import type { AgentView } from '../../rooms/index.ts'
import {
  chatRequestOf,
  type ModelOutcome,
  type ModelProvider,
  type ModelRequest,
} from '../providers/provider.ts'
import { isCounted, type OpenCall, tokensOf } from './call-use.ts'

/** A model server that an agent may use. */
export interface OpenModel {
  credentialId: string
  model: string
  timeoutMs: number
  provider: ModelProvider
}

export type Asked =
  | { kind: 'replied'; reply: AgentReply; call: OpenCall }
  | { kind: 'invalid'; message: string; call: OpenCall }
  | { kind: 'failed'; message: string; isTimeout: boolean; isServerDown: boolean; call: OpenCall }
  /** The turn was cancelled before there was a reply. */
  | { kind: 'cut_off'; call: OpenCall }

export interface Asking {
  view: AgentView
  roomId: string
  participantId: string
  attempt: number
  /** Why the previous reply in this turn was refused. */
  error?: string
}

/** A reply may be a megabyte; more than this of it is not kept. */
const maxLoggedCharacters = 200_000
const defaultMaxTokens = 1_024

const callOf = ({ view, roomId, participantId, attempt }: Asking, askedAt: number): OpenCall => ({
  callId: newCallId(),
  experimentId: view.experimentId,
  roomId,
  participantId,
  agentId: view.persona.id,
  credentialId: null,
  turnId: view.turn.turnId,
  cause: view.turn.cause,
  stateId: view.state?.id ?? null,
  round: view.round,
  attempt,
  askedAt,
  latencyMs: null,
  usage: null,
  money: 0,
  costIsEstimated: null,
  model: null,
  sampling: null,
  servedModel: null,
  promptHash: null,
  request: null,
  reply: null,
})

/** A call that is not made, for the record. */
export const unasked = (asking: Asking, now: number): OpenCall => callOf(asking, now)

/** The scripted provider: no model and no waiting. */
export function askScript(asking: Asking, now: number): Extract<Asked, { kind: 'replied' }> {
  const { persona, perception, moves, seed, saidSoFar } = asking.view
  const reply = scriptedReply({ agent: persona, perception, moves, seed, saidSoFar })
  const { provider } = persona
  // It follows from the events. With all of it, a few pilots would fill the disk.
  const request = { provider, turnId: asking.view.turn.turnId, state: perception.state?.id ?? null }
  return {
    kind: 'replied',
    reply,
    call: {
      ...callOf(asking, now),
      latencyMs: 0,
      promptHash: hashOf(JSON.stringify({ provider, perception })),
      request: JSON.stringify(request),
      reply: shortened(JSON.stringify(reply)),
    },
  }
}

/** Asks the model once. Whatever the server does becomes an outcome, and so does being cancelled. */
export async function askModel(
  asking: Asking,
  { credentialId, model, provider }: OpenModel,
  { clock, signal, timeoutMs }: { clock: Clock; signal: AbortSignal; timeoutMs: number },
): Promise<Asked> {
  const { view, error } = asking
  const request = requestFor(view, model, error)
  const text = JSON.stringify(chatRequestOf(request))
  const askedAt = clock.now()
  const outcome = await provider.ask(request, { timeoutMs, signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined
    throw error
  })
  const made = {
    ...callOf(asking, askedAt),
    credentialId,
    latencyMs: Math.max(0, clock.now() - askedAt),
    usage: outcome?.usage ?? null,
    promptHash: hashOf(text),
    request: shortened(text),
    reply: outcome?.reply === undefined ? null : shortened(JSON.stringify(outcome.reply)),
  }
  const isCharged = !outcome || !isFree(outcome)
  const call = {
    ...made,
    money: isCharged ? priceOf(view, made) : 0,
    costIsEstimated: isCharged && !isCounted(made.usage),
    model,
    sampling: request.sampling,
    servedModel: servedModelIn(outcome?.reply),
  }
  if (!outcome) return { kind: 'cut_off', call }
  if (outcome.kind === 'failed') {
    const isInvalid = outcome.reason === 'no_tool_call' || outcome.reason === 'bad_arguments'
    if (isInvalid) return { kind: 'invalid', message: outcome.message, call }
    return {
      kind: 'failed',
      message: outcome.message,
      isTimeout: outcome.reason === 'timeout',
      isServerDown: isServerDown(outcome),
      call,
    }
  }
  const read = readReply(view.moves, outcome.arguments)
  return read.ok
    ? { kind: 'replied', reply: read.reply, call }
    : { kind: 'invalid', message: read.message, call }
}

function requestFor(view: AgentView, model: string, error: string | undefined): ModelRequest {
  const { definition, persona, state, moves } = view
  const perception = error === undefined ? view.perception : withRetry(view.perception, error)
  const { maxTokens = defaultMaxTokens, ...sampling } = persona.sampling ?? {}
  return {
    model,
    messages: messagesFor({ definition, agent: persona, state, perception }),
    tool: respondToolFor(moves),
    sampling: { ...sampling, maxTokens },
  }
}

const longestModelName = 200

/** Servers that choose a version, or another model, say so in their reply. */
function servedModelIn(reply: unknown): string | null {
  const name = typeof reply === 'object' && reply !== null && 'model' in reply ? reply.model : null
  return typeof name === 'string' ? name.slice(0, longestModelName) : null
}

/** No model has read a request that its server refuses, or that never arrived. */
const isFree = (outcome: ModelOutcome): boolean =>
  outcome.kind === 'failed' && ['status', 'address', 'unreachable'].includes(outcome.reason)

/** Whether other rooms would fare the same. A request that is too long for the model, say, is only that room's. */
function isServerDown({ reason, status = 0 }: Extract<ModelOutcome, { kind: 'failed' }>): boolean {
  if (reason === 'status') return status >= 500 || [401, 403, 429].includes(status)
  return reason === 'timeout' || reason === 'address' || reason === 'unreachable'
}

function priceOf({ persona: { price } }: AgentView, call: Parameters<typeof tokensOf>[0]): number {
  if (!price) return 0
  const { promptTokens, completionTokens } = tokensOf(call)
  return (promptTokens * price.promptPerMillion + completionTokens * price.replyPerMillion) / 1_000_000
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Still JSON: a text of the beginning. */
const shortened = (json: string): string =>
  json.length <= maxLoggedCharacters ? json : JSON.stringify(json.slice(0, maxLoggedCharacters))
