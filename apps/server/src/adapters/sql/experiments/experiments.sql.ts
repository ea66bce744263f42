import {
  credentialUsesIn,
  type ExperimentStatus,
  mayExperimentBecome,
  nameOf,
  type RevisionHead,
} from '@atrium/contract'
import { personIn } from '../../../kernel/signature.ts'
import type {
  Created,
  ExperimentStore,
  NewDefinition,
  NewExperiment,
  NewRevision,
  Revised,
  StatusChanged,
} from '../../../modules/experiments/experiments.store.ts'
import { goneCredentials } from '../agents/credential-uses.sql.ts'
import { writeAudit } from '../operations.sql.ts'
import type { Sql } from '../tables.ts'
import { readActivity } from './activity.sql.ts'
import { readDefinition } from './definitions.sql.ts'
import { insertDraft } from './drafts.sql.ts'
import { asRecord, lockExperiment, setStatus } from './experiment-rows.sql.ts'
import { readFlow } from './flow.sql.ts'
import { readFunnel, readVisits } from './live.sql.ts'
import { readMonitor } from './monitor.sql.ts'
import { addRevision, goneFrom, insertRevision } from './new-revision.sql.ts'
import { findPerson, listPeople } from './people.sql.ts'
import { readPlots } from './plots.sql.ts'
import { publishDraft } from './publish.sql.ts'
import { listRecruits } from './recruits.sql.ts'
import { removeExperiment } from './remove-experiment.sql.ts'
import { excludesTrials } from './visible-experiments.sql.ts'

export const createExperimentStore = (store: Sql): ExperimentStore => ({
  create: (created) => create(store, created),
  revise: (revised) => revise(store, revised),
  publish: (published) => publishDraft(store, published),
  changeStatus: (change) => changeStatus(store, change),
  remove: (removal) => removeExperiment(store, removal),
  async list({ status }) {
    const query = store.db
      .selectFrom('experiments')
      .selectAll()
      .where(excludesTrials('experiments'))
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
  flow: (experimentId) => readFlow(store, experimentId),
  people: (listing) => listPeople(store, listing),
  person: (experimentId, participantId, maxEvents) =>
    findPerson(store, experimentId, participantId, maxEvents),
})

async function create({ engine, db }: Sql, { draft, ...created }: NewExperiment): Promise<Created> {
  return await db.transaction().execute(async (tx) => {
    const { experimentId, actor, now } = created
    const isPublished = draft === undefined
    const outcome = await insertExperiment({ engine, db: tx }, created, 'draft', isPublished)
    if (outcome !== 'created') return outcome
    if (!isPublished)
      await insertDraft(tx, { experimentId, definition: draft, savedBy: personIn(actor), now })
    await writeAudit(tx, { at: now, actor, action: 'experiment_created', subject: experimentId, details: {} })
    return outcome
  })
}

/** The experiment with its first revision, in a transaction of the caller. */
export async function insertExperiment(
  tx: Sql,
  created: NewDefinition,
  status: ExperimentStatus,
  isPublished = true,
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
      is_published: isPublished ? 1 : 0,
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

async function revise({ engine, db }: Sql, revised: NewRevision): Promise<Revised> {
  return await db.transaction().execute(async (tx) => {
    const row = await lockExperiment({ engine, db: tx }, revised.experimentId)
    return row ? await addRevision({ engine, db: tx }, row, revised) : { kind: 'not_found' }
  })
}

type StatusChange = Parameters<ExperimentStore['changeStatus']>[0]

async function changeStatus({ engine, db }: Sql, change: StatusChange): Promise<StatusChanged> {
  return await db.transaction().execute(async (tx): Promise<StatusChanged> => {
    const { experimentId, to, actor, now, revision } = change
    const row = await lockExperiment({ engine, db: tx }, experimentId)
    if (!row) return { kind: 'not_found' }
    const from = row.status as ExperimentStatus
    if (!mayExperimentBecome(from, to)) return { kind: 'refused', from }
    if (to === 'recruiting' && !asRecord(row).isPublished) return { kind: 'not_published' }
    if (revision !== undefined && revision !== row.revision)
      return { kind: 'conflict', revision: row.revision }
    const agents = to === 'recruiting' ? await agentsWithout({ engine, db: tx }, row) : []
    if (agents.length > 0) return { kind: 'credentials_missing', agents }
    return { kind: 'changed', record: asRecord(await setStatus(tx, row, { to, actor, now })) }
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
