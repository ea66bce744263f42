import { assertNever, participantCalls } from '@atrium/contract'
import { retryDelayMs } from './backoff.ts'
import { type Clock, createRests } from './clock.ts'
import { consentIn, inOrderOfConsent, needsConsent } from './consent.ts'
import { ApiRefused, asError, NoAnswer } from './errors.ts'
import type { Http } from './http.ts'
import type { OwnClock } from './own-clock.ts'
import type { Queue, QueueCounts, QueuedEvent } from './queue/queue-store.ts'
import { type Session, type SessionKeeper, sessionHeaders } from './session.ts'
import { verdictOn } from './verdict.ts'

/** Well under the server's limits of 500 events and 1 MiB: on a slow line, a small batch is a small loss. */
const maxEventsPerBatch = 100
const maxBytesPerBatch = 200_000

const bytesOf = (event: QueuedEvent): number => new TextEncoder().encode(JSON.stringify(event)).length + 1

/** The longest prefix that fits. At least one event: if that alone is too large, the server will say so. */
function cutBatch(events: readonly QueuedEvent[], maxEvents: number): QueuedEvent[] {
  const batch: QueuedEvent[] = []
  let bytes = 0
  for (const event of events.slice(0, maxEvents)) {
    bytes += bytesOf(event)
    if (batch.length > 0 && bytes > maxBytesPerBatch) break
    batch.push(event)
  }
  return batch
}

export interface SenderDeps {
  http: Http
  queue: Queue
  keeper: SessionKeeper
  clock: Clock
  ownClock: OwnClock
  random: () => number
  /** Whether another tab may append to the queue, or send from it. */
  isShared: boolean
  maySend(): boolean
  /** Counts, connection or last error may have changed. */
  onChange(): void
}

export interface SenderState {
  counts: QueueCounts
  isOnline: boolean
  lastError: Error | undefined
}

/** The server accepts 100 batches per minute and session (R10); one per second stays well below that. */
const spacingMs = 1_000
/** While consent is missing, its answer may be queued behind events that were pending when it was withdrawn. */
const maxBeforeConsent = 100_000
/** How often a shared queue is checked for what another tab has appended or sent. */
const checkEveryMs = 2_000

/** Sends the queue: oldest first, one request at a time, until the server has acknowledged everything. */
export function startSender(deps: SenderDeps) {
  const { http, queue, keeper, clock, ownClock, random } = deps
  const rests = createRests(clock)
  const state: SenderState = {
    counts: { pending: 0, quarantined: 0, acknowledged: 0 },
    isOnline: true,
    lastError: undefined,
  }
  let failures = 0
  let maxEvents = maxEventsPerBatch
  let sentAt = Number.NEGATIVE_INFINITY
  let hurrying = 0
  let hasSent = false
  let isClosed = false

  async function count(): Promise<void> {
    state.counts = await queue.counts()
    deps.onChange()
  }

  async function post(session: Session, events: QueuedEvent[]): Promise<void> {
    sentAt = clock.now()
    const askedAt = ownClock.steadyNow()
    const { serverTimestamp } = await http(participantCalls.eventsV4, {
      headers: sessionHeaders(session),
      body: { events, ...ownClock.report() },
    })
    const heardAt = ownClock.steadyNow()
    // Of events that may have been stored before, it would be the time at which they were.
    if (hasSent && failures === 0) ownClock.heard(askedAt, Date.parse(serverTimestamp), heardAt)
    else ownClock.answered(askedAt, heardAt)
    hasSent = true
    const answer = consentIn(events)
    if (answer !== undefined)
      keeper.noteConsent(answer === 'given' ? new Date(clock.now()).toISOString() : null)
    await queue.acknowledge(events.map(({ eventId }) => eventId))
    state.isOnline = true
    state.lastError = undefined
    failures = 0
    maxEvents = Math.min(maxEventsPerBatch, maxEvents * 2)
  }

  async function backOff(error: Error): Promise<void> {
    failures++
    const retryAfterMs = error instanceof ApiRefused ? error.retryAfterMs : undefined
    const delayMs = retryDelayMs(failures, retryAfterMs, random)
    // A delay that the server asked for is kept; our own estimate may be cut short by a caller in a hurry.
    await rests.rest(delayMs, retryAfterMs === undefined ? 'hurry' : 'close')
  }

  async function handleFailure(error: Error, session: Session, batch: QueuedEvent[]): Promise<void> {
    const verdict = verdictOn(error, batch)
    switch (verdict.kind) {
      case 'fewer':
        maxEvents = Math.max(1, Math.floor(batch.length / 2))
        return
      case 'quarantine': {
        const code = error instanceof ApiRefused ? error.code : 'UNKNOWN'
        return await queue.quarantine(verdict.eventIds, { code, message: error.message, at: clock.now() })
      }
      case 'rejoin':
        // Refused or taken over: the keeper has reported it, and we wait for the right to send or a new join.
        if (error instanceof ApiRefused)
          await keeper.renew(session, error).catch(() => rests.rest(checkEveryMs, 'news'))
        return
      case 'await_consent':
        // Withdrawn elsewhere. Pending events are sent when consent is given again.
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
    if (!needsConsent(session)) return await queue.take(maxEvents)
    return inOrderOfConsent(await queue.take(maxBeforeConsent))
  }

  async function sendNext(): Promise<void> {
    const session = keeper.current()
    const isHeldBack = !session || keeper.stopped() !== undefined || !deps.maySend()
    const batch = isHeldBack ? [] : cutBatch(await next(session), maxEvents)
    if (isHeldBack || batch.length === 0) {
      if (deps.isShared) await count()
      return await rests.rest(deps.isShared ? checkEveryMs : Number.POSITIVE_INFINITY, 'news')
    }
    const tooEarlyMs = sentAt + spacingMs - clock.now()
    if (tooEarlyMs > 0 && batch.length < maxEvents && hurrying === 0 && failures === 0)
      // More may be recorded in the meantime, so the batch is cut again afterwards.
      return await rests.rest(tooEarlyMs, 'hurry')
    try {
      await post(session, batch)
    } catch (thrown) {
      const error = asError(thrown)
      state.lastError = error
      state.isOnline = !(error instanceof NoAnswer)
      deps.onChange()
      await handleFailure(error, session, batch)
    }
    await count()
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      try {
        await sendNext()
      } catch (error) {
        // The store failed (a full disk, a closed database). Pending events stay; we check again later.
        state.lastError = asError(error)
        deps.onChange()
        await backOff(state.lastError)
      }
    }
  }

  const ended = run()
  return {
    state,
    count,
    call: rests.call,
    /** Until the returned function is called, only delays that the server asked for are kept. */
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
