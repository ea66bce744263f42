import { type CompleteBody, participantRoutes } from '@atrium/contract'
import { retryDelayMs } from './backoff.ts'
import { type Clock, createRests } from './clock.ts'
import { ApiRefused } from './errors.ts'
import type { DataOf, Http } from './http.ts'
import type { QueueCounts } from './queue/queue-store.ts'
import { type SessionKeeper, sessionHeaders } from './session.ts'
import { isPassing } from './verdict.ts'

export interface CompletionRequest {
  /** An outcome (SUCCESS, TIMEOUT, …) or a literal code. Where the room decides, what it has decided goes before it. */
  completionCode: string
  finalState?: string
  /** By default the time since `join`. */
  durationMs?: number
  /** Completes although events are not safe. They can never be sent afterwards; the server records the gap. */
  force?: boolean
  /** For saving what waits, and again for completing. */
  timeoutMs?: number
}

/** What was given, which need not be what was asked for. */
export type Completion = Pick<
  DataOf<(typeof participantRoutes)['completeV4']>,
  'outcome' | 'completionCode' | 'redirectUrl'
>

export interface CompletionParts {
  http: Http
  clock: Clock
  random: () => number
  keeper: SessionKeeper
}

/** Asks for the completion until there is an answer: repeating it gives the same one (R20). */
export async function completeWith(
  { http, clock, random, keeper }: CompletionParts,
  body: CompleteBody,
  timeoutMs: number,
): Promise<Completion> {
  const rests = createRests(clock)
  const deadline = clock.now() + timeoutMs
  for (let failures = 1; ; failures++) {
    try {
      const { outcome, completionCode, redirectUrl } = await keeper.withSession((session) =>
        http(participantRoutes.completeV4, { headers: sessionHeaders(session), body }),
      )
      return { outcome, completionCode, redirectUrl }
    } catch (error) {
      const retryAfterMs = error instanceof ApiRefused ? error.retryAfterMs : undefined
      const delayMs = retryDelayMs(failures, retryAfterMs, random)
      if (!isPassing(error) || clock.now() + delayMs > deadline) throw error
      await rests.rest(delayMs, 'close')
    }
  }
}

/** Everything that was recorded counts, sent or not: what is missing on the server shall show there as a gap. */
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
