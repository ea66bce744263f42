import { bytesOfEvent, overQuota, rowBytes, type Usage, withReserve } from '../../kernel/quota.ts'
import { boundsAfter, type ClockBounds, type ClockColumns, estimateOf } from './client-clock.plan.ts'
import { consentIn, keepsToConsent } from './consent.plan.ts'
import type { AppendOutcome, EventBatch, EventToStore } from './events.store.ts'

/** What the store knows about the sessions of a group of batches, read under their locks. */
export interface KnownStreams {
  /** By session id. */
  streams: Map<string, KnownStream>
  /** By `keyOf(sessionId, idempotencyKey)`. */
  batches: Map<string, { bodyHash: string; recorded: number; receivedAt: number }>
  /** By `keyOf(sessionId, eventId)`. */
  events: Map<string, { event: EventToStore; receivedAt: number }>
  /** By session id; only of participants whose consent is required. */
  consents: Map<string, ConsentState>
}

interface KnownStream {
  streamNo: number
  lastSeq: number
  sealed: boolean
  /** Null if a server that knew nothing of figures opened it. */
  experimentId: string | null
  /** Of the participant, over all of their sessions, and of the experiment. */
  stored: Usage
  clock: ClockBounds
}

/** R38: how a participant stands to the consent, and to their place (R56). */
export interface ConsentState {
  participantId: string
  experimentId: string
  isGiven: boolean
  holdsPlace: boolean
  /** How the participation ends is known; the consent no longer changes who holds a place. */
  isDecided: boolean
}

/** R56: people who decline give their place back; people who then agree after all need another one. */
export interface PlaceChange {
  sessionId: string
  participantId: string
  experimentId: string
  kind: 'returned' | 'taken'
}

export interface EventRow extends EventToStore, ClockColumns {
  streamNo: number
  seq: number
  receivedAt: number
}

/** R54: set for rows written by a room, never for what a client sends. */
export interface RoomEventRow extends EventRow {
  roomSeq: number
  /** R68: which of their rooms it was, counted from 0; null in the first. */
  stay: number | null
  round: number | null
  visit: number | null
}

export interface AppendPlan {
  rows: EventRow[]
  newKeys: {
    streamNo: number
    idempotencyKey: string
    bodyHash: string
    recorded: number
    receivedAt: number
  }[]
  /** By stream number, like everything that is written. */
  lastSeqs: Map<number, number>
  /** What is added, in bytes, by stream number. */
  bytes: Map<number, number>
  /** E40: what is known of the participant's clock afterwards, of every stream in `lastSeqs`. */
  clocks: Map<number, ClockBounds>
  /** R38: the newest answer to the consent, by session id. */
  consents: Map<string, { isGiven: boolean; at: number }>
  places: PlaceChange[]
  outcomes: AppendOutcome[]
}

export const keyOf = (sessionId: string, key: string): string => `${sessionId} ${key}`

/**
 * Decides, for a group of batches, what to write and what to answer each caller (R18). Pure, so that both engines
 * follow the same rules: a known key gets its first answer, a known key with another body is refused, an event id is
 * stored once per session, and sequence numbers have no gaps. `withoutPlace` are the sessions for which no place was
 * left when an earlier plan asked for one.
 */
export function planAppends(
  batches: readonly EventBatch[],
  known: KnownStreams,
  withoutPlace: ReadonlySet<string> = new Set(),
): AppendPlan {
  const plan: AppendPlan = {
    rows: [],
    newKeys: [],
    lastSeqs: new Map(),
    bytes: new Map(),
    clocks: new Map(),
    consents: new Map(),
    places: [],
    outcomes: [],
  }
  const seen: Seen = {
    ...known,
    batches: new Map(known.batches),
    events: new Map(known.events),
    withoutPlace,
    addedTo: new Map(),
  }
  for (const batch of batches) plan.outcomes.push(planBatch(batch, seen, plan))
  plan.places = placeChanges(plan.consents, known.consents)
  return plan
}

interface Seen extends KnownStreams {
  withoutPlace: ReadonlySet<string>
  /** What this plan has added so far, in bytes, by experiment. */
  addedTo: Map<string | null, number>
}

function planBatch(batch: EventBatch, seen: Seen, plan: AppendPlan): AppendOutcome {
  const { sessionId, idempotencyKey, bodyHash, receivedAt } = batch
  if (idempotencyKey !== null) {
    const earlier = seen.batches.get(keyOf(sessionId, idempotencyKey))
    if (earlier && earlier.bodyHash !== bodyHash) return { kind: 'conflict', key: idempotencyKey }
    if (earlier) return { kind: 'recorded', recorded: earlier.recorded, receivedAt: earlier.receivedAt }
  }
  const stream = seen.streams.get(sessionId)
  if (!stream || stream.sealed) return { kind: 'sealed' }
  const fresh = freshEvents(batch, seen)
  if (typeof fresh === 'string') return { kind: 'conflict', key: fresh }
  const objection = objectionTo(fresh, sessionId, seen, plan)
  if (objection) return { kind: objection }
  const bytes = bytesOfBatch(fresh, idempotencyKey)
  // What is stored already is acknowledged again, whatever the quota says.
  const quota = fresh.length === 0 ? withReserve(batch.quota) : batch.quota
  const over = bytes === 0 ? undefined : overQuota(usageOf(stream, seen, plan), bytes, quota)
  if (over) return { kind: 'over_quota', over }

  const { streamNo, experimentId } = stream
  plan.bytes.set(streamNo, (plan.bytes.get(streamNo) ?? 0) + bytes)
  seen.addedTo.set(experimentId, (seen.addedTo.get(experimentId) ?? 0) + bytes)
  let seq = plan.lastSeqs.get(streamNo) ?? stream.lastSeq
  const clock = clockAfter(batch, fresh, plan.clocks.get(streamNo) ?? stream.clock)
  plan.clocks.set(streamNo, clock.bounds)
  for (const event of fresh) {
    plan.rows.push({ ...event, ...clock.estimate(event), streamNo, seq: ++seq, receivedAt })
    const answer = consentIn(event)
    if (answer !== undefined) plan.consents.set(sessionId, { isGiven: answer === 'given', at: receivedAt })
  }
  // A key takes space too, even if every event has been stored under another one.
  if (bytes > 0) plan.lastSeqs.set(streamNo, seq)
  const answer = { recorded: batch.events.length, receivedAt: firstReceipt(batch, fresh, seen) }
  for (const event of fresh)
    if (event.eventId !== null) seen.events.set(keyOf(sessionId, event.eventId), { event, receivedAt })
  if (idempotencyKey !== null) {
    plan.newKeys.push({ streamNo, idempotencyKey, bodyHash, ...answer })
    seen.batches.set(keyOf(sessionId, idempotencyKey), { bodyHash, ...answer })
  }
  return { kind: 'recorded', ...answer }
}

/** E40: all times of a batch count before any is judged: the newest says most. */
function clockAfter(
  { receivedAt, sessionStartedAt, clock: reported }: EventBatch,
  events: readonly EventToStore[],
  known: ClockBounds,
) {
  const momentOf = ({ timestamp }: EventToStore) => ({
    ...{ clientTime: timestamp, receivedAt, sessionStartedAt, reported },
  })
  const bounds = events.map(momentOf).reduce(boundsAfter, known)
  return { bounds, estimate: (event: EventToStore) => estimateOf(bounds, momentOf(event)) }
}

/** E27: what a batch adds: its new events, and the key that it is remembered by. */
function bytesOfBatch(fresh: readonly EventToStore[], idempotencyKey: string | null): number {
  const ofKey = idempotencyKey === null ? 0 : rowBytes + idempotencyKey.length
  return fresh.reduce((sum, event) => sum + bytesOfEvent(event), ofKey)
}

const usageOf = ({ streamNo, experimentId, stored }: KnownStream, seen: Seen, plan: AppendPlan): Usage => ({
  participantBytes: stored.participantBytes + (plan.bytes.get(streamNo) ?? 0),
  experimentBytes: stored.experimentBytes + (seen.addedTo.get(experimentId) ?? 0),
})

/**
 * The caller has compared the batch with the consent before, but it may have been withdrawn since. Here the stream is
 * locked, and nothing is stored after a withdrawal.
 */
function objectionTo(
  fresh: readonly EventToStore[],
  sessionId: string,
  { consents, withoutPlace }: Seen,
  plan: AppendPlan,
): 'without_consent' | 'full' | undefined {
  const state = consents.get(sessionId)
  if (!state) return undefined
  if (!keepsToConsent(plan.consents.get(sessionId)?.isGiven ?? state.isGiven, fresh)) return 'without_consent'
  return withoutPlace.has(sessionId) && fresh.some((event) => consentIn(event) === 'given')
    ? 'full'
    : undefined
}

function placeChanges(answers: AppendPlan['consents'], states: KnownStreams['consents']): PlaceChange[] {
  return [...answers].flatMap(([sessionId, { isGiven }]): PlaceChange[] => {
    const state = states.get(sessionId)
    if (!state || state.isDecided) return []
    const { participantId, experimentId, holdsPlace } = state
    if (!isGiven && holdsPlace) return [{ sessionId, participantId, experimentId, kind: 'returned' }]
    // People who had agreed before have given their place back in another way, and get one where they come back.
    const needsPlace = isGiven && !state.isGiven && !holdsPlace
    return needsPlace ? [{ sessionId, participantId, experimentId, kind: 'taken' }] : []
  })
}

/** The events that are not stored yet, or the id of one that is stored with other content. */
function freshEvents({ sessionId, events }: EventBatch, seen: KnownStreams): EventToStore[] | string {
  const inBatch = new Map<string, EventToStore>()
  const fresh: EventToStore[] = []
  for (const event of events) {
    if (event.eventId === null) {
      fresh.push(event)
      continue
    }
    const earlier = seen.events.get(keyOf(sessionId, event.eventId))?.event ?? inBatch.get(event.eventId)
    if (earlier && !isSameEvent(earlier, event)) return event.eventId
    if (earlier) continue
    inBatch.set(event.eventId, event)
    fresh.push(event)
  }
  return fresh
}

/** A retry whose events are all stored is answered with the time of the first receipt. */
function firstReceipt(batch: EventBatch, fresh: EventToStore[], seen: KnownStreams): number {
  const [first] = batch.events
  if (fresh.length > 0 || !first?.eventId) return batch.receivedAt
  return seen.events.get(keyOf(batch.sessionId, first.eventId))?.receivedAt ?? batch.receivedAt
}

/** Flags are our remarks, not the sender's, so they do not count. */
const isSameEvent = (one: EventToStore, other: EventToStore): boolean =>
  one.type === other.type &&
  one.stateId === other.stateId &&
  one.componentId === other.componentId &&
  one.timestamp === other.timestamp &&
  one.data === other.data &&
  one.extra === other.extra
