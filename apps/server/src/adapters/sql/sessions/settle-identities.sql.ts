import { sql } from 'kysely'
import { declinedIssuer, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import type { SessionStore } from '../../../modules/sessions/sessions.store.ts'
import { lockParticipants } from '../locks.sql.ts'
import { recountAssignments } from '../rooms/assignment-counts.sql.ts'
import type { Sql } from '../tables.ts'
import { forgetOrigin, revealIdentity } from './held-identities.sql.ts'
import { returnPlaces } from './places.sql.ts'

const peoplePerStep = 200

/** Whoever gave no answer can give it until the session ends, however long they think; whoever declined has no place. */
const isGone = (before: number) => sql<boolean>`not exists (
  select 1 from sessions s where s.participant_id = p.participant_id
    and ((s.status = 'active' and p.holds_place = 1) or coalesce(s.ended_at, s.last_activity_at) >= ${before}))`

const unsettled = ({ db }: Sql, before: number) =>
  db
    .selectFrom('participant_identities as i')
    .innerJoin('participants as p', 'p.participant_id', 'i.participant_id')
    .select(['p.participant_id', 'p.consented_at', isGone(before).as('is_gone')])
    .where('i.issuer', 'in', [heldIssuer, declinedIssuer])
    .where(({ or, eb }) => or([eb('p.consented_at', 'is not', null), isGone(before)]))

export async function unsettledPeople(store: Sql, before: number): Promise<string[]> {
  // Those whom only other instances can settle come last, so that nobody waits behind them.
  const rows = await unsettled(store, before).orderBy('is_gone', 'desc').limit(peoplePerStep).execute()
  return rows.map((row) => row.participant_id)
}

/** A consent that only another key can open is left to the instances that have it, until the participant is gone. */
export async function settleIdentity(
  { engine, db }: Sql,
  { participantId, before, sealing }: Parameters<SessionStore['settleIdentity']>[0],
): Promise<void> {
  await db.transaction().execute(async (db) => {
    const tx: Sql = { engine, db }
    await lockParticipants(tx, [participantId])
    // Asked again: since they were found, they may have consented or come back.
    const found = await unsettled(tx, before).where('p.participant_id', '=', participantId).executeTakeFirst()
    if (!found) return
    const isRevealed =
      found.consented_at !== null && sealing && (await revealIdentity(tx, participantId, sealing))
    if (!isRevealed && found.is_gone) await forget(tx, participantId)
  })
}

async function forget(tx: Sql, participantId: string): Promise<void> {
  await tx.db.deleteFrom('participant_identities').where('participant_id', '=', participantId).execute()
  await forgetOrigin(tx, participantId)
  await tx.db
    .updateTable('sessions')
    .set({ redirect_url: null })
    .where('participant_id', '=', participantId)
    .execute()
  await giveUpPlace(tx, participantId)
}

/** R56: of people whose session was revoked. They cannot come back to it, because nobody knows them any more. */
async function giveUpPlace(tx: Sql, participantId: string): Promise<void> {
  const left = await tx.db
    .updateTable('participants')
    .set({ holds_place: 0 })
    .where('participant_id', '=', participantId)
    .where('holds_place', '=', 1)
    .where('completed_at', 'is', null)
    .returning('experiment_id')
    .execute()
  await returnPlaces(
    tx,
    left.map((row) => row.experiment_id),
  )
  await recountAssignments(tx, [participantId])
}
