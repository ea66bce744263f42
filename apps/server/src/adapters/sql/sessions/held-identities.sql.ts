import { type RawBuilder, sql } from 'kysely'
import type { SealingKeys } from '../../../kernel/sealed.ts'
import { declinedIssuer, heldIn, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import type { PersonKey } from '../../../modules/sessions/sessions.store.ts'
import type { Sql, Tables } from '../tables.ts'

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
    .select(['o.session_id', 'o.metadata', 'i.experiment_id', 'i.attempt'])
    .where('i.participant_id', '=', participantId)
    .where('i.issuer', '=', heldIssuer)
    .execute()
  let identity: Identity | undefined
  for (const { session_id, metadata, experiment_id, attempt } of held) {
    const known = heldIn(keys, JSON.parse(metadata))
    if (!known) continue
    const { issuer, subject } = known.person
    identity = { participant_id: participantId, experiment_id, issuer, subject, attempt }
    await db
      .updateTable('session_origins')
      .set({ metadata: JSON.stringify(known.metadata) })
      .where('session_id', '=', session_id)
      .execute()
  }
  if (identity) await replaceIdentity(db, identity)
  return identity !== undefined
}

type Identity = Tables['participant_identities']

/**
 * The previous release does not find who is held, so the same person may have joined anew there. Then this is another attempt
 * of theirs. A failed update would undo the consents of others, which are stored together.
 */
async function replaceIdentity(db: Sql['db'], identity: Identity): Promise<void> {
  const { participant_id, experiment_id, issuer, subject } = identity
  await db.deleteFrom('participant_identities').where('participant_id', '=', participant_id).execute()
  for (let { attempt } = identity; ; attempt++) {
    const inserted = await db
      .insertInto('participant_identities')
      .values({ participant_id, experiment_id, issuer, subject, attempt })
      .onConflict((conflict) =>
        conflict.columns(['issuer', 'subject', 'experiment_id', 'attempt']).doNothing(),
      )
      .returning('participant_id')
      .executeTakeFirst()
    if (inserted) return
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

export async function forgetOrigin({ db }: Sql, participantId: string): Promise<void> {
  const theirs = db.selectFrom('sessions').select('session_id').where('participant_id', '=', participantId)
  await db
    .updateTable('session_origins')
    .set({ ip_address: '', user_agent: '', metadata: '{}' })
    .where('session_id', 'in', theirs)
    .execute()
}

/** Whether an identity `i` is that of the person, held (R94) or not. Both parts use the index of identities. */
export const isPerson = ({ issuer, subject, marks = [] }: PersonKey): RawBuilder<boolean> =>
  marks.length === 0
    ? sql<boolean>`(i.issuer = ${issuer} and i.subject = ${subject})`
    : sql<boolean>`((i.issuer = ${issuer} and i.subject = ${subject})
        or (i.issuer in (${heldIssuer}, ${declinedIssuer}) and i.subject in (${sql.join(marks)})))`
