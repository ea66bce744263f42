import {
  credentialUsesIn,
  type ExperimentStatus,
  mayExperimentBecome,
  nameOf,
  type RevisionHead,
  videoUsesIn,
} from '@atrium/contract'
import { type Selectable, sql } from 'kysely'
import { personIn } from '../../../kernel/signature.ts'
import type {
  Created,
  ExperimentRecord,
  ExperimentStore,
  NewDefinition,
  NewRevision,
  Revised,
  StatusChanged,
} from '../../../modules/experiments/experiments.store.ts'
import { goneCredentials, insertUses } from '../agents/credential-uses.sql.ts'
import { writeAudit } from '../operations.sql.ts'
import { namedIds } from '../row-set.ts'
import { forUpdate, type Sql, type Tables } from '../tables.ts'
import { isNoTry } from '../tries/is-no-try.sql.ts'
import { readActivity } from './activity.sql.ts'
import { readDefinition } from './definitions.sql.ts'
import { readFunnel, readVisits } from './live.sql.ts'
import { readMonitor } from './monitor.sql.ts'
import { findPerson, listPeople } from './people.sql.ts'
import { readPlots } from './plots.sql.ts'
import { listRecruits } from './recruits.sql.ts'
import { removeExperiment } from './remove-experiment.sql.ts'

export const createExperimentStore = (store: Sql): ExperimentStore => ({
  create: (created) => create(store, created),
  revise: (revised) => revise(store, revised),
  changeStatus: (change) => changeStatus(store, change),
  remove: (removal) => removeExperiment(store, removal),
  async list({ status }) {
    const query = store.db
      .selectFrom('experiments')
      .selectAll()
      .where(isNoTry('experiments'))
      .orderBy('created_at', 'desc')
      .orderBy('experiment_id')
    const rows = await (status ? query.where('status', '=', status) : query).execute()
    return rows.map(asRecord)
  },
  async find(experimentId) {
    const row = await store.db
      .selectFrom('experiments')
      .selectAll()
      .where('experiment_id', '=', experimentId)
      .executeTakeFirst()
    return row && asRecord(row)
  },
  definition: (experimentId, revision) => readDefinition(store, experimentId, revision),
  revisions: (listing) => listRevisions(store, listing),
  recruits: (listing) => listRecruits(store, listing),
  monitor: (experimentId, now) => readMonitor(store, experimentId, now),
  funnel: (experimentId) => readFunnel(store, experimentId),
  visits: (experimentId) => readVisits(store, experimentId),
  activity: (experimentId, window) => readActivity(store, experimentId, window),
  plots: (experimentId) => readPlots(store, experimentId),
  people: (listing) => listPeople(store, listing),
  person: (experimentId, participantId, mostEvents) =>
    findPerson(store, experimentId, participantId, mostEvents),
})

export const asRecord = (row: Selectable<Tables['experiments']>): ExperimentRecord => ({
  experimentId: row.experiment_id,
  name: row.name,
  status: row.status as ExperimentStatus,
  revision: row.revision,
  capacity: row.capacity,
  participantCount: row.participant_count,
})

async function create({ engine, db }: Sql, created: NewDefinition): Promise<Created> {
  return await db.transaction().execute(async (tx) => {
    const { experimentId, actor, now } = created
    const outcome = await insertExperiment({ engine, db: tx }, created, 'draft')
    if (outcome === 'created')
      await writeAudit(tx, {
        at: now,
        actor,
        action: 'experiment_created',
        subject: experimentId,
        details: {},
      })
    return outcome
  })
}

/** The experiment with its first revision, in a transaction of the caller. */
export async function insertExperiment(
  tx: Sql,
  created: NewDefinition,
  status: ExperimentStatus,
): Promise<Created> {
  const { experimentId, definition, now } = created
  const gone = await goneFrom(tx, created)
  if (gone) return gone
  const inserted = await tx.db
    .insertInto('experiments')
    .values({
      experiment_id: experimentId,
      status,
      revision: 1,
      name: nameOf(definition),
      capacity: definition.capacity ?? null,
      participant_count: 0,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('experiment_id')
    .executeTakeFirst()
  if (!inserted) return 'taken'
  await insertRevision(tx, created, 1)
  return 'created'
}

const videoIdsOf = ({ definition }: NewDefinition): string[] => [
  ...new Set(videoUsesIn(definition).map(({ videoId }) => videoId)),
]

/** What the definition names and has been deleted since it was checked. */
async function goneFrom(store: Sql, created: NewDefinition) {
  if (await isVideoGone(store, created)) return 'video_gone'
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

async function insertRevision({ engine, db }: Sql, created: NewDefinition, revision: number): Promise<void> {
  await db
    .insertInto('experiment_revisions')
    .values({
      experiment_id: created.experimentId,
      revision,
      name: nameOf(created.definition),
      definition: JSON.stringify(created.definition),
      created_by: personIn(created.actor),
      created_at: created.now,
    })
    .execute()
  const videoIds = videoIdsOf(created)
  if (videoIds.length > 0)
    await sql`insert into experiment_videos (experiment_id, revision, video_id)
      select ${created.experimentId}, ${revision}, named.id from ${namedIds(engine, videoIds)}`.execute(db)
  await insertUses({ engine, db }, created, revision)
}

async function revise({ engine, db }: Sql, revised: NewRevision): Promise<Revised> {
  return await db.transaction().execute(async (tx) => {
    const { experimentId, definition, actor, now, basedOn } = revised
    const row = await lockExperiment({ engine, db: tx }, experimentId)
    if (!row) return { kind: 'not_found' }
    if (row.status === 'archived') return { kind: 'archived' }
    if (basedOn !== undefined && basedOn !== row.revision) return { kind: 'conflict', revision: row.revision }
    const gone = await goneFrom({ engine, db: tx }, revised)
    if (gone) return { kind: gone }
    const revision = row.revision + 1
    await insertRevision({ engine, db: tx }, revised, revision)
    const changed = {
      revision,
      name: nameOf(definition),
      capacity: definition.capacity ?? null,
      participant_count: await countParticipants({ engine, db: tx }, experimentId),
      updated_at: now,
    }
    await tx.updateTable('experiments').set(changed).where('experiment_id', '=', experimentId).execute()
    await writeAudit(tx, {
      at: now,
      actor,
      action: 'experiment_revised',
      subject: experimentId,
      details: { revision },
    })
    return { kind: 'revised', record: asRecord({ ...row, ...changed }) }
  })
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

type StatusChange = Parameters<ExperimentStore['changeStatus']>[0]

async function changeStatus({ engine, db }: Sql, change: StatusChange): Promise<StatusChanged> {
  return await db.transaction().execute(async (tx) => {
    const { experimentId, to, actor, now } = change
    const row = await lockExperiment({ engine, db: tx }, experimentId)
    if (!row) return { kind: 'not_found' }
    const from = row.status as ExperimentStatus
    if (!mayExperimentBecome(from, to)) return { kind: 'refused', from }
    const agents = to === 'recruiting' ? await agentsWithout({ engine, db: tx }, row) : []
    if (agents.length > 0) return { kind: 'credentials_missing', agents }
    if (from !== to) {
      await tx
        .updateTable('experiments')
        .set({ status: to, updated_at: now })
        .where('experiment_id', '=', experimentId)
        .execute()
      await writeAudit(tx, {
        at: now,
        actor,
        action: 'experiment_status',
        subject: experimentId,
        details: { from, to },
      })
    }
    return { kind: 'changed', record: asRecord({ ...row, status: to }) }
  })
}

/** The agents of the newest revision whose credential has been deleted. The credentials of the others stay until we commit. */
async function agentsWithout(
  store: Sql,
  { experiment_id: experimentId, revision }: { experiment_id: string; revision: number },
) {
  const definition = await readDefinition(store, experimentId, revision)
  if (!definition) return []
  const gone = new Set(await goneCredentials(store, definition))
  return credentialUsesIn(definition).filter(({ credentialId }) => gone.has(credentialId))
}

async function lockExperiment({ engine, db }: Sql, experimentId: string) {
  return await db
    .selectFrom('experiments')
    .selectAll()
    .where('experiment_id', '=', experimentId)
    .$call(forUpdate(engine))
    .executeTakeFirst()
}

/** Newest first, by the key. Definitions, which may be long, are not read. */
async function listRevisions(
  { db }: Sql,
  { experimentId, before, limit }: Parameters<ExperimentStore['revisions']>[0],
): Promise<RevisionHead[]> {
  return await db
    .selectFrom('experiment_revisions')
    .select(['revision', 'name', 'created_at as createdAt', 'created_by as createdBy'])
    .where('experiment_id', '=', experimentId)
    .$if(before !== null, (query) => query.where('revision', '<', before ?? 0))
    .orderBy('revision', 'desc')
    .limit(limit)
    .execute()
}
