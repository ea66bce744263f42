import type { SealingKeys } from '../../../kernel/sealed.ts'
import { declinedIssuer, heldIn, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import type { Sql } from '../tables.ts'

/** R94: from now on it is known who they are, because they have consented. In the transaction that stores the consent. */
export async function revealIdentity({ db }: Sql, sessionId: string, keys: SealingKeys): Promise<void> {
  const held = await db
    .selectFrom('sessions as s')
    .innerJoin('participant_identities as i', 'i.participant_id', 's.participant_id')
    .innerJoin('sessions as each', 'each.participant_id', 's.participant_id')
    .innerJoin('session_origins as o', 'o.session_id', 'each.session_id')
    .select(['i.participant_id', 'o.session_id', 'o.metadata'])
    .where('s.session_id', '=', sessionId)
    .where('i.issuer', '=', heldIssuer)
    .execute()
  for (const { participant_id, session_id, metadata } of held) {
    const known = heldIn(keys, JSON.parse(metadata))
    if (!known) continue
    const { issuer, subject } = known.person
    await db
      .updateTable('participant_identities')
      .set({ issuer, subject })
      .where('participant_id', '=', participant_id)
      .execute()
    await db
      .updateTable('session_origins')
      .set({ metadata: JSON.stringify(known.metadata) })
      .where('session_id', '=', session_id)
      .execute()
  }
}

export const isHeld = async ({ db }: Sql, participantId: string): Promise<boolean> =>
  (await db
    .selectFrom('participant_identities')
    .select('issuer')
    .where('participant_id', '=', participantId)
    .where('issuer', '=', heldIssuer)
    .executeTakeFirst()) !== undefined

/** R94: whoever declines leaves nothing but a count, and for a while the mark by which they find their way back again. */
export async function decline(store: Sql, participantId: string): Promise<void> {
  await forgetOrigin(store, participantId)
  await store.db
    .updateTable('participant_identities')
    .set({ issuer: declinedIssuer })
    .where('participant_id', '=', participantId)
    .execute()
}

async function forgetOrigin({ db }: Sql, participantId: string): Promise<void> {
  const theirs = db.selectFrom('sessions').select('session_id').where('participant_id', '=', participantId)
  await db
    .updateTable('session_origins')
    .set({ ip_address: '', user_agent: '', metadata: '{}' })
    .where('session_id', 'in', theirs)
    .execute()
}

const peoplePerStep = 200

/**
 * R94: people who were last here before this time and have declined, or left without an answer. Whoever gave no answer has
 * their place until the session expires.
 */
export async function forgetUndecided({ engine, db }: Sql, before: number): Promise<void> {
  const people = await db
    .selectFrom('participant_identities as i')
    .innerJoin('participants as p', 'p.participant_id', 'i.participant_id')
    .select('p.participant_id')
    .where('i.issuer', 'in', [heldIssuer, declinedIssuer])
    .where('p.holds_place', '=', 0)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions as s')
            .select('s.session_id')
            .whereRef('s.participant_id', '=', 'p.participant_id')
            .where((eb) => eb(eb.fn.coalesce('s.ended_at', 's.last_activity_at'), '>=', before)),
        ),
      ),
    )
    .limit(peoplePerStep)
    .execute()
  for (const { participant_id: participantId } of people)
    await db.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('participant_identities')
        .where('participant_id', '=', participantId)
        .where('issuer', 'in', [heldIssuer, declinedIssuer])
        .executeTakeFirst()
      // They have consented in the meantime.
      if (numDeletedRows === 0n) return
      await forgetOrigin({ engine, db: tx }, participantId)
      await tx
        .updateTable('sessions')
        .set({ redirect_url: null })
        .where('participant_id', '=', participantId)
        .execute()
    })
}
