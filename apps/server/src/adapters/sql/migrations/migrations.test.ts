import { join } from 'node:path'
import { createFolderInMemory, createTestDatabase } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { openPatiently } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  exportAll,
  joined,
  openExperiment,
  recordedAt,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { pseudonymOf } from '../../../kernel/ids.ts'
import { openSqlite } from '../../sqlite/open-sqlite.ts'
import type { Database } from '../stores.ts'
import { migratorFor } from './migrations.ts'

const experimentId = 'exp_1'
/** Not in the order of joining, so that numbers and ids disagree. */
const [first, second] = ['sess_z', 'sess_a'] as const
const data = (value: number) => JSON.stringify({ value })

/** What 0003 left behind: two participants of one experiment with two events each, and one batch with a key. */
const rowsOfFormerShape = [
  `insert into experiments (experiment_id, status, revision, name, participant_count, created_at, updated_at)
    values ('${experimentId}', 'recruiting', 1, 'Old', 2, 1, 1)`,
  ...[1, 2].map(
    (
      revision,
    ) => `insert into experiment_revisions (experiment_id, revision, name, definition, created_by, created_at)
      values ('${experimentId}', ${revision}, 'Old', '{}', 'urn:one maker-${revision}', 1)`,
  ),
  ...[first, second].flatMap((sessionId, index) => [
    `insert into participants (participant_id, experiment_id, revision, role, joined_at)
      values ('part_${index}', '${experimentId}', 1, 'participant', ${startOfTime + index})`,
    `insert into sessions (session_id, participant_id, status, created_at, last_activity_at, expires_at)
      values ('${sessionId}', 'part_${index}', 'active', 1, 1, 9)`,
    `insert into event_streams (session_id, last_seq, sealed, client_events) values ('${sessionId}', 2, 0, 2)`,
    ...[1, 2].map(
      (seq) => `insert into events (session_id, seq, event_id, type, state_id, component_id, timestamp,
          received_at, data, flags)
        values ('${sessionId}', ${seq}, 'e${seq}', 'component_response', 's1', 'c1', ${startOfTime + seq},
          ${startOfTime}, '${data(10 * index + seq)}', '')`,
    ),
  ]),
  `insert into event_batches (session_id, idempotency_key, body_hash, recorded, received_at)
    values ('${first}', 'k1', 'h1', 2, ${startOfTime})`,
  ...[
    ['session_revoked', second],
    ['experiment_created', experimentId],
  ].map(
    ([action, subject]) => `insert into audit_log (at, actor, action, subject, details)
      values (1, 'admin', '${action}', '${subject}', '{}')`,
  ),
]

describe.each(['sqlite', 'postgres'] as const)(
  'a database from before streams had numbers (%s)',
  (engine) => {
    const cleanUps: (() => unknown)[] = []
    afterEach(async () => {
      for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
    })

    async function formerDatabase() {
      const { raw, open } = engine === 'sqlite' ? sqliteAccess() : await postgresAccess()
      cleanUps.push(() => raw.destroy())
      const { error } = await migratorFor(engine, raw).migrateTo('0003_agent_seats')
      expect(error).toBeUndefined()
      const run = async (statement: string) => void (await sql.raw(statement).execute(raw))
      for (const statement of rowsOfFormerShape) await run(statement)
      const rows = async (query: string) => (await sql.raw(query).execute(raw)).rows
      return {
        run,
        rows,
        async open(): Promise<Database> {
          const database = await open()
          cleanUps.push(() => database.close())
          return database
        },
      }
    }

    function sqliteAccess() {
      const folder = createFolderInMemory('sqlite')
      cleanUps.push(() => folder.remove())
      const file = new Sqlite(join(folder.path, 'atrium.db'))
      return {
        raw: new Kysely<never>({ dialect: new SqliteDialect({ database: file }) }),
        open: () => openSqlite(folder.path),
      }
    }

    async function postgresAccess() {
      const url = await createTestDatabase()
      const pool = new pg.Pool({ connectionString: url, max: 1 })
      return {
        raw: new Kysely<never>({ dialect: new PostgresDialect({ pool }) }),
        open: () => openPatiently(url),
      }
    }

    const storedIn = async (database: Database) =>
      (await exportAll(database, experimentId)).lines.map((line) => [
        line.sessionId,
        line.seq,
        line.data.value,
      ])
    const carriedOver = [
      [pseudonymOf(first), 1, 1],
      [pseudonymOf(first), 2, 2],
      [pseudonymOf(second), 1, 11],
      [pseudonymOf(second), 2, 12],
    ]

    test('[R18] keeps its events, keys and counts, and continues from there', async () => {
      const database = await (await formerDatabase()).open()
      expect(await storedIn(database)).toEqual(carriedOver)
      const again = anEvent(1, { eventId: 'e1', data: data(1) })
      const outcomes = await database.events.append([
        aBatch(first, [anEvent(1)], { idempotencyKey: 'k1', bodyHash: 'h1', receivedAt: startOfTime + 5 }),
        aBatch(first, [anEvent(1)], { idempotencyKey: 'k1', bodyHash: 'other' }),
        aBatch(first, [again, anEvent(3)]),
        aBatch(second, [anEvent(13)]),
      ])
      const conflict = { kind: 'conflict', key: 'k1' }
      expect(outcomes).toEqual([recordedAt(2), conflict, recordedAt(2), recordedAt(1)])
      expect(await storedIn(database)).toEqual([
        ...carriedOver.slice(0, 2),
        [pseudonymOf(first), 3, 3],
        ...carriedOver.slice(2),
        [pseudonymOf(second), 3, 13],
      ])
      const all = { ...completeRequest(second), claimedEvents: 3, requireAllEvents: true }
      expect(await database.sessions.complete(all)).toMatchObject({ kind: 'completed' })
      expect(await database.experiments.monitor(experimentId, startOfTime)).toMatchObject({ events: 6 })
      const newcomer = await joined(database, await openExperiment(database))
      expect(await database.events.append([aBatch(newcomer.sessionId, [anEvent(1)])])).toEqual([
        recordedAt(1),
      ])
    })

    test('[R59] has pseudonyms for its sessions, which find them and which the audit uses', async () => {
      const former = await formerDatabase()
      // More than one batch of the migration.
      const more = Array.from(
        { length: 1_200 },
        (_, index) => `('sess_${index}', 'part_0', 'expired', 1, 1, 9)`,
      )
      await former.run(`insert into sessions (session_id, participant_id, status, created_at, last_activity_at,
        expires_at) values ${more.join()}`)
      const database = await former.open()
      expect(await former.rows('select session_id from sessions where pseudonym is null')).toEqual([])
      for (const sessionId of [first, second, 'sess_7', 'sess_1199'])
        expect(await database.sessions.findId(pseudonymOf(sessionId))).toBe(sessionId)
      expect(await former.rows('select action, subject from audit_log order by action')).toEqual([
        { action: 'experiment_created', subject: experimentId },
        { action: 'session_revoked', subject: pseudonymOf(second) },
      ])
    })

    test('[R56] completed participations get their outcome, and those that ended early hold no place', async () => {
      const former = await formerDatabase()
      await former.run('update experiments set capacity = 5')
      for (const [sessionId, participantId, outcome] of [
        [first, 'part_0', 'NO_CONSENT'],
        [second, 'part_1', 'SUCCESS'],
      ]) {
        await former.run(`update sessions set status = 'completed', outcome = '${outcome}', ended_at = 5
          where session_id = '${sessionId}'`)
        await former.run(`update participants set completed_at = 5 where participant_id = '${participantId}'`)
      }
      const database = await former.open()
      expect(await database.experiments.find(experimentId)).toMatchObject({ participantCount: 1 })
      expect(await database.experiments.monitor(experimentId, startOfTime)).toMatchObject({
        participants: { total: 2, active: 0, completed: 1 },
        outcomes: { NO_CONSENT: 1, SUCCESS: 1 },
      })
    })

    test('[R37] an experiment belongs to whoever made its first revision and is shared with nobody', async () => {
      const { accesses } = await (await formerDatabase()).open()
      const known = { experimentId, owner: 'urn:one maker-1', shared: [] }
      expect(await accesses.find({ kind: 'experimentId', id: experimentId }, ['p1'])).toEqual(known)
      expect(await accesses.find({ kind: 'sessionId', id: first }, ['p1'])).toEqual(known)
      const mine = await accesses.visible(['urn:one maker-1'], ['p1'])
      expect(mine.map(({ record }) => record.experimentId)).toEqual([experimentId])
      expect(await accesses.visible(['urn:one maker-2'], ['p1'])).toEqual([])
    })

    test('a migration that fails half-way changes nothing', async () => {
      const former = await formerDatabase()
      await former.run('create table former_events (in_the_way integer)')
      await expect(former.open()).rejects.toThrow('former_events')
      await former.run('drop table former_events')
      expect(await storedIn(await former.open())).toEqual(carriedOver)
    })
  },
)
