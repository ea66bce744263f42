import { nameOf, studyOf } from '@atrium/contract'
import { videoUsesIn } from '@atrium/contract/components'
import { sql } from 'kysely'
import { personIn } from '../../../kernel/signature.ts'
import type { NewDefinition, NewRevision, Revised } from '../../../modules/experiments/experiments.store.ts'
import { goneCredentials, insertUses } from '../agents/credential-uses.sql.ts'
import { insertMediaUses, isMediaGone } from '../media/media-uses.sql.ts'
import { writeAudit } from '../operations.sql.ts'
import { namedIds } from '../row-set.ts'
import type { Sql } from '../tables.ts'
import { isTableGone, pinTables } from '../trial-tables/pinned-tables.sql.ts'
import { asRecord, type ExperimentRow } from './experiment-rows.sql.ts'

/** The next revision, which is published, in a transaction of the caller, who holds the row of the experiment. */
export async function addRevision(
  { engine, db }: Sql,
  row: ExperimentRow,
  revised: NewRevision,
): Promise<Revised> {
  const { experimentId, definition, actor, now, basedOn } = revised
  if (row.status === 'archived') return { kind: 'archived' }
  if (basedOn !== undefined && basedOn !== row.revision) return { kind: 'conflict', revision: row.revision }
  const gone = await goneFrom({ engine, db }, revised)
  if (gone) return { kind: gone }
  const revision = row.revision + 1
  await insertRevision({ engine, db }, revised, revision)
  const changed = {
    revision,
    name: nameOf(definition),
    capacity: definition.capacity ?? null,
    participant_count: await countParticipants({ engine, db }, experimentId),
    is_published: 1,
    updated_at: now,
  }
  await db.updateTable('experiments').set(changed).where('experiment_id', '=', experimentId).execute()
  await writeAudit(db, {
    at: now,
    actor,
    action: 'experiment_revised',
    subject: experimentId,
    details: { revision },
  })
  return { kind: 'revised', record: asRecord({ ...row, ...changed }) }
}

const videoIdsOf = ({ definition }: NewDefinition): string[] => [
  ...new Set(videoUsesIn(studyOf(definition)).map(({ videoId }) => videoId)),
]

/** What the definition names and has been deleted since it was checked. */
export async function goneFrom(store: Sql, created: NewDefinition) {
  if (await isVideoGone(store, created)) return 'video_gone'
  if (await isMediaGone(store, created)) return 'media_gone'
  if (await isTableGone(store, created.definition)) return 'table_gone'
  return (await goneCredentials(store, created.definition)).length > 0 ? 'credential_gone' : undefined
}

/** Whether a video that the definition names has been deleted since it was checked. If not, it stays until we commit. */
async function isVideoGone({ engine, db }: Sql, created: NewDefinition): Promise<boolean> {
  const videoIds = videoIdsOf(created)
  if (videoIds.length === 0) return false
  const present = await db
    .selectFrom('videos')
    .select('video_id')
    .where('video_id', 'in', sql<string>`(select named.id from ${namedIds(engine, videoIds)})`)
    .where('removed_at', 'is', null)
    .orderBy('video_id')
    .$if(engine === 'postgres', (query) => query.forShare())
    .execute()
  return present.length < videoIds.length
}

export async function insertRevision(
  { engine, db }: Sql,
  created: NewDefinition,
  revision: number,
): Promise<void> {
  await db
    .insertInto('experiment_revisions')
    .values({
      experiment_id: created.experimentId,
      revision,
      name: nameOf(created.definition),
      definition: JSON.stringify(created.definition),
      created_by: personIn(created.actor),
      created_at: created.now,
      identity_days: created.definition.identityDays ?? null,
      first_stage: created.definition.stages?.[0]?.id ?? null,
    })
    .execute()
  const videoIds = videoIdsOf(created)
  if (videoIds.length > 0)
    await sql`insert into experiment_videos (experiment_id, revision, video_id)
      select ${created.experimentId}, ${revision}, named.id from ${namedIds(engine, videoIds)}`.execute(db)
  await insertMediaUses({ engine, db }, created, revision)
  await insertUses({ engine, db }, created, revision)
  await pinTables({ engine, db }, created, revision)
}

/** The count is maintained only while there is a capacity, so a capacity set later starts from a recount. */
async function countParticipants({ db }: Sql, experimentId: string): Promise<number> {
  const row = await db
    .selectFrom('participants')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('experiment_id', '=', experimentId)
    .where('holds_place', '=', 1)
    .executeTakeFirstOrThrow()
  return row.total
}
