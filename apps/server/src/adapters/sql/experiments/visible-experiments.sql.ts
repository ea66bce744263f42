import { type RawBuilder, sql } from 'kysely'
import type { Sight } from '../../../modules/experiments/index.ts'

/** Not a parameter: the index on owners has first revisions only, and a prepared plan must know that this is one. */
const firstRevision = sql.lit(1)

/** R37: the experiments that somebody may see who does not see everything. */
export function experimentsIn(sight: Sight, owners: readonly string[]): RawBuilder<unknown> {
  const seen = sql`
    select experiment_id from experiment_revisions where revision = ${firstRevision} and created_by in (${sql.join(owners)})
    union select experiment_id from experiment_shares where principal in (${sql.join(sight.principals)})`
  const { limitedTo } = sight
  return limitedTo
    ? sql`select experiment_id from (${seen}) as seen where experiment_id in (${sql.join(limitedTo)})`
    : seen
}

/** Whether somebody may see experiment `e`. */
export const isVisible = (sight: Sight): RawBuilder<boolean> =>
  sight.owners === null ? sql`1 = 1` : sql`e.experiment_id in (${experimentsIn(sight, sight.owners)})`

/** TR3: nobody reaches a try by the routes of experiments, not even who started it. Found by its key. */
export const excludesTrials = (experiments: 'experiments' | 'e'): RawBuilder<boolean> =>
  sql`not exists (select 1 from tries where tries.experiment_id = ${sql.ref(`${experiments}.experiment_id`)})`
