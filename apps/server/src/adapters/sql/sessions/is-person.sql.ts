import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { declinedIssuer, heldIssuer } from '../../../modules/sessions/held-identity.plan.ts'
import type { PersonKey } from '../../../modules/sessions/sessions.store.ts'

/** Whether an identity `i` is that of the person, held (R94) or not. Both parts use the index of identities. */
export const isPerson = ({ issuer, subject, marks = [] }: PersonKey): RawBuilder<boolean> =>
  marks.length === 0
    ? sql<boolean>`(i.issuer = ${issuer} and i.subject = ${subject})`
    : sql<boolean>`((i.issuer = ${issuer} and i.subject = ${subject})
        or (i.issuer in (${heldIssuer}, ${declinedIssuer}) and i.subject in (${sql.join(marks)})))`
