import { type RawBuilder, sql } from 'kysely'

/** TR3: nobody reaches a try by the routes of experiments, not even who started it. Found by its key. */
export const isNoTry = (experiments: 'experiments' | 'e'): RawBuilder<boolean> =>
  sql`not exists (select 1 from tries where tries.experiment_id = ${sql.ref(`${experiments}.experiment_id`)})`
