import { type CompleteBody, participantCalls } from '@atrium/contract'
import { retryDelayMs } from './backoff.ts'
import { type Clock, createRests } from './clock.ts'
import { ApiRefused } from './errors.ts'
import type { DataOf, Http } from './http.ts'
import type { QueueCounts } from './queue/queue-store.ts'
import { type SessionKeeper, sessionHeaders } from './session.ts'
import { isPassing } from './verdict.ts'

export interface CompletionRequest {
  /** An outcome (SUCCESS, TIMEOUT, …) or a literal code. Where the room decides, its decision takes precedence. */
  completionCode: string
  finalState?: string
  /** The time since `join` by default. */
  durationMs?: number
  /** Completes even if events are unsafe. They can never be sent afterwards; the server records the gap. */
  force?: boolean
  /** Applies to sending what is pending, and again to completing. */
  timeoutMs?: number
}

/** What the server granted, which need not be what was requested. */
export type Completion = Pick<
  DataOf<(typeof participantCalls)['completeV4']>,
  'outcome' | 'completionCode' | 'redirectUrl' | 'payment'
>

export interface CompletionDeps {
  http: Http
  clock: Clock
  random: () => number
  keeper: SessionKeeper
}

/** Requests the completion until there is a response: repeating the request gives the same one (R20). */
export async function completeWith(
  { http, clock, random, keeper }: CompletionDeps,
  body: CompleteBody,
  timeoutMs: number,
): Promise<Completion> {
  const rests = createRests(clock)
  const deadline = clock.now() + timeoutMs
  for (let failures = 1; ; failures++) {
    try {
      const { sessionEnded: _always, ...completion } = await keeper.withSession((session) =>
        http(participantCalls.completeV4, { headers: sessionHeaders(session), body }),
      )
      return completion
    } catch (error) {
      const retryAfterMs = error instanceof ApiRefused ? error.retryAfterMs : undefined
      const delayMs = retryDelayMs(failures, retryAfterMs, random)
      if (!isPassing(error) || clock.now() + delayMs > deadline) throw error
      await rests.rest(delayMs, 'close')
    }
  }
}

/** Everything that was recorded counts, sent or not, so that what is missing on the server shows there as a gap. */
export function completionBody(
  { completionCode, finalState, durationMs }: CompletionRequest,
  { acknowledged, pending, quarantined }: QueueCounts,
  elapsedMs: number,
): CompleteBody {
  return {
    completionCode,
    ...(finalState === undefined ? {} : { finalState }),
    summary: {
      totalEvents: acknowledged + pending + quarantined,
      duration: Math.max(0, Math.round(durationMs ?? elapsedMs)),
    },
  }
}
