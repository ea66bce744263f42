import { maxResearchersListed, type Researcher } from '@atrium/contract'
import { sql } from 'kysely'
import type { OperationsStore } from '../../modules/operations/operations.store.ts'
import { excludesTrials } from './experiments/visible-experiments.sql.ts'
import type { Sql } from './tables.ts'

export const researchersIn = ({
  db,
}: Pick<Sql, 'db'>): Pick<OperationsStore, 'noteResearcher' | 'researchers'> => ({
  async noteResearcher({ person, email, role, roleFrom, at }) {
    const told = { email, role, role_from: roleFrom, seen_at: at }
    await db
      .insertInto('researchers')
      .values({ person, ...told, first_seen_at: at })
      .onConflict((conflict) => conflict.column('person').doUpdateSet(told))
      .execute()
  },
  async researchers() {
    const rows = await db
      .selectFrom('researchers')
      .selectAll()
      .select(({ selectFrom }) =>
        selectFrom('experiment_revisions as e')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          // Not a parameter: the index on owners has first revisions only.
          .where('e.revision', '=', sql.lit(1))
          .whereRef('e.created_by', '=', 'researchers.person')
          .where(excludesTrials('e'))
          .as('experiments'),
      )
      .orderBy('seen_at', 'desc')
      .orderBy('person')
      .limit(maxResearchersListed)
      .execute()
    return rows.map(({ person, email, role, role_from, first_seen_at, seen_at, experiments }) => ({
      person,
      email,
      role: role as Researcher['role'],
      roleFrom: role_from as Researcher['roleFrom'],
      firstSeenAt: first_seen_at,
      seenAt: seen_at,
      experiments: Number(experiments),
    }))
  },
})
