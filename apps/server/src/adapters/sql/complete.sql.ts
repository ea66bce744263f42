import type { SessionStatus } from '@atrium/contract'
import type { CompleteOutcome, CompleteRequest } from '../../modules/sessions/sessions.store.ts'
import { lockStream, sealStreams } from './session-end.sql.ts'
import { completionOf } from './session-record.sql.ts'
import type { Sql } from './tables.ts'

/** R20: one transaction decides, so that twenty calls at once, or a batch racing the call, end in one answer. */
export async function complete({ engine, db }: Sql, request: CompleteRequest): Promise<CompleteOutcome> {
  return await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    await lockParticipant(tx, request.sessionId)
    await lockStream(tx, request.sessionId)
    const session = await db
      .selectFrom('sessions')
      .selectAll()
      .where('session_id', '=', request.sessionId)
      .executeTakeFirst()
    if (!session) return { kind: 'not_found' }
    if (session.status === 'completed') return { kind: 'completed', completion: completionOf(session) }
    if (session.status !== 'active') return { kind: 'refused', status: session.status as SessionStatus }
    if (request.unlessMatched && (await hasRoom(tx, session.participant_id))) return { kind: 'matched' }
    const stored = await storedEvents(tx, session.participant_id)
    const missing = Math.max(0, (request.claimedEvents ?? 0) - stored)
    if (missing > 0 && request.requireAllEvents) return { kind: 'events_missing', stored }
    await sealStreams(tx, [request.sessionId])
    await writeCompletion(tx, request, missing)
    await closeRoomIfDone(tx, session.participant_id, request.completion.completedAt)
    return { kind: 'completed', completion: request.completion }
  })
}

/** A join that resumes holds the participant before it seals the stream; the other way round would deadlock. */
async function lockParticipant({ engine, db }: Sql, sessionId: string): Promise<void> {
  if (engine === 'sqlite') return
  await db
    .selectFrom('participants')
    .select('participant_id')
    .where('participant_id', '=', ({ selectFrom }) =>
      selectFrom('sessions').select('participant_id').where('session_id', '=', sessionId),
    )
    .forUpdate()
    .execute()
}

async function hasRoom({ db }: Sql, participantId: string): Promise<boolean> {
  const row = await db
    .selectFrom('participants')
    .select('room_id')
    .where('participant_id', '=', participantId)
    .executeTakeFirstOrThrow()
  return row.room_id !== null
}

/** Over all sessions of the participant: a client that resumed counts from its first event on. */
async function storedEvents({ db }: Sql, participantId: string): Promise<number> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('event_streams as e', 'e.session_id', 's.session_id')
    .select(({ fn }) => fn.sum<number | null>('e.client_events').as('stored'))
    .where('s.participant_id', '=', participantId)
    .executeTakeFirstOrThrow()
  return row.stored ?? 0
}

async function writeCompletion({ db }: Sql, request: CompleteRequest, missing: number): Promise<void> {
  const { completion } = request
  await db
    .updateTable('sessions')
    .set({
      status: 'completed',
      ended_at: completion.completedAt,
      outcome: completion.outcome,
      completion_code: completion.completionCode,
      redirect_url: completion.redirectUrl,
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

async function closeRoomIfDone({ db }: Sql, participantId: string, now: number): Promise<void> {
  const { room_id: roomId } = await db
    .updateTable('participants')
    .set({ completed_at: now })
    .where('participant_id', '=', participantId)
    .returning('room_id')
    .executeTakeFirstOrThrow()
  if (roomId === null) return
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
