import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../../kernel/app-error.ts'
import type { FoundPerson, PersonRef, PrivacyStore } from '../../../modules/privacy/privacy.store.ts'
import { conditionOfPerson } from '../rooms/stays.sql.ts'
import type { Sql } from '../tables.ts'
import { endParticipation } from './end-participation.sql.ts'
import { eraseAll } from './erase-all.sql.ts'
import { eraseFromRoom } from './erase-from-room.sql.ts'
import { identitiesDue } from './identities-due.sql.ts'
import { personPage } from './person-pages.sql.ts'
import { roomsOf } from './rooms-of-person.sql.ts'
import { sever } from './sever.sql.ts'

export const createPrivacyStore = (store: Sql): PrivacyStore => ({
  find: (person) => find(store, person),
  page: (person, after) => personPage(store, person, after),
  endParticipation: (person) => endParticipation(store, person),
  sever: (erasure) => sever(store, erasure),
  identitiesDue: (now) => identitiesDue(store, now),
  eraseFromRoom: (erasure) => eraseFromRoom(store, erasure),
  erase: (erasure) => eraseAll(store, erasure, erasureIdOf(erasure)),
  purge: () => purge(store),
})

/** Nobody can tell from it who was deleted, unless they have the id already. */
const erasureIdOf = ({ experimentId, participantId }: PersonRef): string =>
  hash('sha256', `atrium erasure ${experimentId} ${participantId}`, 'base64url')

async function find({ db }: Sql, person: PersonRef): Promise<FoundPerson | 'erased' | undefined> {
  const { experimentId, participantId } = person
  const row = await db
    .selectFrom('participants as p')
    .leftJoin('rooms as r', 'r.room_id', 'p.room_id')
    .leftJoin('assignments as a', 'a.participant_id', 'p.participant_id')
    .select(['p.revision', conditionOfPerson.as('condition')])
    .where('p.participant_id', '=', participantId)
    .where('p.experiment_id', '=', experimentId)
    .executeTakeFirst()
  if (!row) {
    const id = erasureIdOf(person)
    const erased = await db
      .selectFrom('erasures')
      .select('at')
      .where('erasure_id', '=', id)
      .executeTakeFirst()
    return erased && 'erased'
  }
  const sessions = await db
    .selectFrom('sessions')
    .select('session_id')
    .where('participant_id', '=', participantId)
    .execute()
  const rooms = await roomsOf(db, participantId)
  return {
    sessionIds: sessions.map(({ session_id }) => session_id),
    revision: row.revision,
    condition: row.condition,
    roomIds: rooms.map(({ roomId }) => roomId),
    sharedRoomIds: rooms.flatMap(({ roomId, others }) => (others.length > 0 ? [roomId] : [])),
  }
}

const maxCheckpoints = 20

/**
 * SQLite overwrites what is deleted (`secure_delete`), but the log of changes still has it until all of it is in the file
 * and the log is empty. PostgreSQL frees the space by itself, sooner or later (docs/security.md).
 */
async function purge({ engine, db }: Sql): Promise<void> {
  if (engine === 'postgres') return
  for (let attempt = 0; attempt < maxCheckpoints; attempt++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(TRUNCATE)`.execute(db)
    if (rows[0]?.busy === 0) return
  }
  throw new AppError('UNAVAILABLE', {}, 'The database is being read. Try again.')
}
