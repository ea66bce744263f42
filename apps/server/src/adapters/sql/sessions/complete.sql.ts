import { dropReasonOf, releasesSlot, type SessionStatus } from '@atrium/contract'
import type { Selectable } from 'kysely'
import type { CompleteOutcome, CompleteRequest } from '../../../modules/sessions/sessions.store.ts'
import { recountAssignments } from '../rooms/assignment-counts.sql.ts'
import { forUpdate, type Sql, type Tables } from '../tables.ts'
import { decline, isHeld, revealIdentity } from './held-identities.sql.ts'
import { isFirstStateOver, returnPlaces, takePlace } from './places.sql.ts'
import { lockStream, sealStreams } from './session-end.sql.ts'
import { completionOf } from './session-record.sql.ts'

/**
 * R20: one transaction decides, so that twenty calls at the same time, or a batch racing the call, end in one answer.
 */
export async function complete({ engine, db }: Sql, request: CompleteRequest): Promise<CompleteOutcome> {
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    const participant = await lockParticipant(tx, request.sessionId)
    await lockStream(tx, request.sessionId)
    const session = await db
      .selectFrom('sessions')
      .selectAll()
      .where('session_id', '=', request.sessionId)
      .executeTakeFirst()
    if (!session || !participant) return { kind: 'not_found' }
    const { room_id: roomId } = participant
    if (session.status === 'completed')
      return { kind: 'completed', completion: completionOf(session), roomId }
    if (session.status !== 'active') return { kind: 'refused', status: session.status as SessionStatus }
    if (request.unlessMatched && roomId !== null) return { kind: 'matched' }
    const objection = objectionOf(participant, request)
    if (objection) return objection
    const stored = await storedEvents(tx, session.participant_id)
    const missing = Math.max(0, (request.claimedEvents ?? 0) - stored)
    if (missing > 0 && request.requireAllEvents) return { kind: 'events_missing', stored }
    await sealStreams(tx, [request.sessionId])
    // R94: the way back may say who they are, so of people who have declined it is kept sealed, and not for long.
    const hasDeclined = participant.consented_at === null && (await isHeld(tx, participant.participant_id))
    await writeCompletion(tx, request, missing, hasDeclined)
    if (hasDeclined) await decline(tx, participant.participant_id)
    else if (request.sealing) await revealIdentity(tx, participant.participant_id, request.sealing)
    await endParticipation(tx, participant, request)
    const { sealedRedirect: _forTheStore, ...completion } = request.completion
    return { kind: 'completed', completion, roomId }
  })
}

type ParticipantRow = Pick<
  Selectable<Tables['participants']>,
  'participant_id' | 'experiment_id' | 'room_id' | 'outcome' | 'holds_place' | 'drop_reason' | 'consented_at'
>

/** A resuming join locks the participant before it seals the stream; the other order would deadlock. */
async function lockParticipant({ engine, db }: Sql, sessionId: string): Promise<ParticipantRow | undefined> {
  return await db
    .selectFrom('participants')
    .select(['participant_id', 'experiment_id', 'room_id', 'outcome', 'holds_place', 'drop_reason'])
    .select('consented_at')
    .where('participant_id', '=', ({ selectFrom }) =>
      selectFrom('sessions').select('participant_id').where('session_id', '=', sessionId),
    )
    .$call(forUpdate(engine))
    .executeTakeFirst()
}

/** R52: the room's decision counts, and only the room says that somebody has reached the end. */
function objectionOf(
  { outcome: decided, room_id: roomId }: ParticipantRow,
  { decidedBy, needsDecision, completion }: CompleteRequest,
): CompleteOutcome | undefined {
  if (decidedBy === 'client') return undefined
  if (decided !== null)
    return decided === completion.outcome ? undefined : { kind: 'decided', outcome: decided }
  return needsDecision ? { kind: 'not_finished', roomId } : undefined
}

/** Across all sessions of the participant: a client that resumed counts from its first event. */
async function storedEvents({ db }: Sql, participantId: string): Promise<number> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('event_streams as e', 'e.session_id', 's.session_id')
    .select(({ fn }) => fn.sum<number | null>('e.client_events').as('stored'))
    .where('s.participant_id', '=', participantId)
    .executeTakeFirstOrThrow()
  return row.stored ?? 0
}

async function writeCompletion(
  { db }: Sql,
  request: CompleteRequest,
  missing: number,
  hasDeclined: boolean,
): Promise<void> {
  const { completion } = request
  await db
    .updateTable('sessions')
    .set({
      status: 'completed',
      ended_at: completion.completedAt,
      outcome: completion.outcome,
      completion_code: completion.completionCode,
      redirect_url: hasDeclined ? (completion.sealedRedirect ?? null) : completion.redirectUrl,
      final_state: completion.finalState,
      final_state_unknown: request.finalStateUnknown ? 1 : 0,
      claimed_events: request.claimedEvents,
      claimed_duration: request.duration,
      missing_events: missing,
      wait_ended: completion.waitEnded ?? null,
    })
    .where('session_id', '=', request.sessionId)
    .execute()
}

async function endParticipation(
  tx: Sql,
  participant: ParticipantRow,
  request: CompleteRequest,
): Promise<void> {
  const { participant_id, room_id: roomId, experiment_id } = participant
  const { outcome, completedAt } = request.completion
  const change = await placeChange(tx, participant, request)
  await tx.db
    .updateTable('participants')
    .set({ completed_at: completedAt, outcome, ...(change === 'returned' && { holds_place: 0 }) })
    .set(departureOf(participant, request))
    .where('participant_id', '=', participant_id)
    .execute()
  if (roomId !== null) await closeRoomIfDone(tx, roomId, completedAt)
  if (change === 'returned') await returnPlaces(tx, [experiment_id])
  // If there is none left, they have completed all the same.
  if (change === 'taken') await takePlace(tx, experiment_id, participant_id)
  await recountAssignments(tx, [participant_id])
}

/** R92: what the room or a withdrawal has said about how they stopped stands, unless the outcome is another one now. */
function departureOf({ outcome: decided, drop_reason }: ParticipantRow, { completion }: CompleteRequest) {
  const { outcome, finalState, completedAt } = completion
  if (drop_reason !== null && (decided === outcome || outcome === 'NO_CONSENT')) return {}
  const reason = dropReasonOf(outcome)
  return {
    dropped_at: reason && completedAt,
    dropped_state: reason && finalState,
    drop_reason: reason,
  }
}

/** R56: where the room decides and has decided, it has also decided about the place. */
async function placeChange(
  tx: Sql,
  participant: ParticipantRow,
  request: CompleteRequest,
): Promise<'returned' | 'taken' | undefined> {
  const { holds_place, outcome: decided } = participant
  const { decidedBy } = request
  if (decidedBy === 'room' && (decided !== null || holds_place === 0)) return undefined
  const isReturned = await isReturning(tx, participant, request)
  if (holds_place === 1) return isReturned ? 'returned' : undefined
  return isReturned ? undefined : 'taken'
}

async function isReturning(
  { db }: Sql,
  { participant_id }: ParticipantRow,
  { decidedBy, completion: { outcome } }: CompleteRequest,
): Promise<boolean> {
  // Checked only when it matters, because it reads the participant's events.
  if (releasesSlot(outcome, false) === releasesSlot(outcome, true)) return releasesSlot(outcome, true)
  const { is_over } = await db
    .selectFrom('participants')
    .select(isFirstStateOver(decidedBy).as('is_over'))
    .where('participant_id', '=', participant_id)
    .executeTakeFirstOrThrow()
  return releasesSlot(outcome, Boolean(is_over))
}

async function closeRoomIfDone({ db }: Sql, roomId: string, now: number): Promise<void> {
  await db
    .updateTable('rooms')
    .set({ closed_at: now })
    .where('room_id', '=', roomId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('participants')
            .select('participant_id')
            .where('room_id', '=', roomId)
            .where('completed_at', 'is', null),
        ),
      ),
    )
    .execute()
}
