import type { SealingKeys } from '../../../kernel/sealed.ts'
import { declinedIssuer, heldIn, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import type { Sql } from '../tables.ts'

/**
 * R94: from now on it is known who they are, because they have consented. In the transaction that stores the consent or, if
 * the previous release has stored it, when we learn of it. False if nobody's identity is held, or none of the keys opens it.
 */
export async function revealIdentity(
  { db }: Sql,
  participantId: string,
  keys: SealingKeys,
): Promise<boolean> {
  const held = await db
    .selectFrom('participant_identities as i')
    .innerJoin('sessions as s', 's.participant_id', 'i.participant_id')
    .innerJoin('session_origins as o', 'o.session_id', 's.session_id')
    .select(['o.session_id', 'o.metadata'])
    .where('i.participant_id', '=', participantId)
    .where('i.issuer', '=', heldIssuer)
    .execute()
  let isKnown = false
  for (const { session_id, metadata } of held) {
    const known = heldIn(keys, JSON.parse(metadata))
    if (!known) continue
    const { issuer, subject } = known.person
    await db
      .updateTable('participant_identities')
      .set({ issuer, subject })
      .where('participant_id', '=', participantId)
      .execute()
    await db
      .updateTable('session_origins')
      .set({ metadata: JSON.stringify(known.metadata) })
      .where('session_id', '=', session_id)
      .execute()
    isKnown = true
  }
  return isKnown
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

export async function forgetOrigin({ db }: Sql, participantId: string): Promise<void> {
  const theirs = db.selectFrom('sessions').select('session_id').where('participant_id', '=', participantId)
  await db
    .updateTable('session_origins')
    .set({ ip_address: '', user_agent: '', metadata: '{}' })
    .where('session_id', 'in', theirs)
    .execute()
}
