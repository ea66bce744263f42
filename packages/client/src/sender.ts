import { assertNever, participantRoutes } from '@atrium/contract'
import { retryDelayMs } from './backoff.ts'
import { cutBatch, mostEventsPerBatch } from './batch.ts'
import { type Clock, createRests } from './clock.ts'
import { consentIn, inOrderOfConsent, needsConsent } from './consent.ts'
import { ApiRefused, asError, NoAnswer } from './errors.ts'
import type { Http } from './http.ts'
import type { Queue, QueueCounts, QueuedEvent } from './queue/queue-store.ts'
import { type Session, type SessionKeeper, sessionHeaders } from './session.ts'
import { verdictOn } from './verdict.ts'

export interface SenderParts {
  http: Http
  queue: Queue
  keeper: SessionKeeper
  clock: Clock
  random: () => number
  /** Whether another tab may append to the queue, or be the one that sends. */
  isShared: boolean
  maySend(): boolean
  /** Counts, connection or last error may be others than before. */
  onChange(): void
}

export interface SenderState {
  counts: QueueCounts
  isOnline: boolean
  lastError: Error | undefined
}

/** The server takes 100 batches a minute of a session (R10); one a second stays clear of that. */
const spacingMs = 1_000
/** Where consent is missing, its answer may stand behind whatever waited when it was withdrawn. */
const mostBeforeConsent = 100_000
/** How often a shared queue is looked at for what another tab has appended or sent. */
const lookEveryMs = 2_000

/** Sends what waits in the queue: oldest first, one request at a time, until the server has acknowledged it. */
export function startSender(parts: SenderParts) {
  const { http, queue, keeper, clock, random } = parts
  const rests = createRests(clock)
  const state: SenderState = {
    counts: { pending: 0, quarantined: 0, acknowledged: 0 },
    isOnline: true,
    lastError: undefined,
  }
  let failures = 0
  let mostEvents = mostEventsPerBatch
  let sentAt = Number.NEGATIVE_INFINITY
  let hurrying = 0
  let isClosed = false

  async function count(): Promise<void> {
    state.counts = await queue.counts()
    parts.onChange()
  }

  async function post(session: Session, events: QueuedEvent[]): Promise<void> {
    sentAt = clock.now()
    await http(participantRoutes.eventsV4, { headers: sessionHeaders(session), body: { events } })
    const answer = consentIn(events)
    if (answer !== undefined)
      keeper.noteConsent(answer === 'given' ? new Date(clock.now()).toISOString() : null)
    await queue.acknowledge(events.map(({ eventId }) => eventId))
    state.isOnline = true
    state.lastError = undefined
    failures = 0
    mostEvents = Math.min(mostEventsPerBatch, mostEvents * 2)
  }

  async function backOff(error: Error): Promise<void> {
    failures++
    const retryAfterMs = error instanceof ApiRefused ? error.retryAfterMs : undefined
    const delayMs = retryDelayMs(failures, retryAfterMs, random)
    // What the server asked for is waited for; our own guess may be cut short by someone in a hurry.
    await rests.rest(delayMs, retryAfterMs === undefined ? 'hurry' : 'close')
  }

  async function handleFailure(error: Error, session: Session, batch: QueuedEvent[]): Promise<void> {
    const verdict = verdictOn(error, batch)
    switch (verdict.kind) {
      case 'fewer':
        mostEvents = Math.max(1, Math.floor(batch.length / 2))
        return
      case 'quarantine': {
        const code = error instanceof ApiRefused ? error.code : 'UNKNOWN'
        return await queue.quarantine(verdict.eventIds, { code, message: error.message, at: clock.now() })
      }
      case 'rejoin':
        // Refused or taken over: the keeper has told, and from here on we wait for the right to send or a new join.
        if (error instanceof ApiRefused)
          await keeper.renew(session, error).catch(() => rests.rest(lookEveryMs, 'news'))
        return
      case 'await_consent':
        // Withdrawn elsewhere. What waits is sent when it is given again.
        keeper.noteConsent(null)
        return await backOff(error)
      case 'stop':
        keeper.stop('refused', error)
        return
      case 'retry':
        return await backOff(error)
      default:
        return assertNever(verdict)
    }
  }

  async function next(session: Session): Promise<QueuedEvent[]> {
    if (!needsConsent(session)) return await queue.take(mostEvents)
    return inOrderOfConsent(await queue.take(mostBeforeConsent))
  }

  async function sendNext(): Promise<void> {
    const session = keeper.current()
    const isHeldBack = !session || keeper.stopped() !== undefined || !parts.maySend()
    const batch = isHeldBack ? [] : cutBatch(await next(session), mostEvents)
    if (isHeldBack || batch.length === 0) {
      if (parts.isShared) await count()
      return await rests.rest(parts.isShared ? lookEveryMs : Number.POSITIVE_INFINITY, 'news')
    }
    const tooEarlyMs = sentAt + spacingMs - clock.now()
    if (tooEarlyMs > 0 && batch.length < mostEvents && hurrying === 0 && failures === 0)
      // More may be recorded meanwhile, so the batch is cut anew afterwards.
      return await rests.rest(tooEarlyMs, 'hurry')
    try {
      await post(session, batch)
    } catch (thrown) {
      const error = asError(thrown)
      state.lastError = error
      state.isOnline = !(error instanceof NoAnswer)
      parts.onChange()
      await handleFailure(error, session, batch)
    }
    await count()
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      try {
        await sendNext()
      } catch (error) {
        // The store failed (a full disk, a closed database). What waits stays; we look again later.
        state.lastError = asError(error)
        parts.onChange()
        await backOff(state.lastError)
      }
    }
  }

  const ended = run()
  return {
    state,
    count,
    call: rests.call,
    /** From now until the returned function is called nothing waits for its turn but what the server delays. */
    hurry(): () => void {
      hurrying++
      rests.call('hurry')
      return () => void hurrying--
    },
    async close(): Promise<void> {
      isClosed = true
      rests.call('close')
      await ended
    },
  }
}
