import { join } from 'node:path'
import { createFolderInMemory, createTestDatabase } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPatiently } from '../../../../test/stores/engines.ts'
import { exportAll, startOfTime } from '../../../../test/stores/samples.ts'
import { openSqlite } from '../../sqlite/open-sqlite.ts'
import { migratorFor } from './migrations.ts'

const experimentId = 'exp_1'

const event = (seq: number, type: string, at: number, more = "null, '', null") =>
  `insert into events (stream_no, seq, type, timestamp, received_at, data, event_id, flags, extra)
    values (1, ${seq}, '${type}', 1, ${startOfTime + at}, '{}', ${more})`

/** What 0007 left behind: a room of two that has ended, and the records of one participant. */
const formerRows = [
  `insert into experiments (experiment_id, status, revision, name, participant_count, created_at, updated_at)
    values ('${experimentId}', 'recruiting', 1, 'Old', 2, 1, 1)`,
  `insert into rooms (room_id, experiment_id, revision, pod_id, created_at, ordinal)
    values ('room_1', '${experimentId}', 1, 'pod', 1, 0)`,
  `insert into room_snapshots (room_id, seq, state) values ('room_1', 2, '{"condition":"high"}')`,
  ...[1, 2].map(
    (seq) => `insert into room_actions (room_id, seq, epoch, at, actor, action)
      values ('room_1', ${seq}, 1, ${startOfTime + 10 * seq}, 'x', '{}')`,
  ),
  // The participant who joined later comes first by id.
  ...[
    ['part_a', 2],
    ['part_b', 1],
  ].map(
    ([
      id,
      joined,
    ]) => `insert into participants (participant_id, experiment_id, revision, role, room_id, joined_at)
      values ('${id}', '${experimentId}', 1, 'participant', 'room_1', ${joined})`,
  ),
  `insert into participants (participant_id, experiment_id, revision, role, joined_at)
    values ('part_c', '${experimentId}', 1, 'participant', 3)`,
  `insert into sessions (session_id, participant_id, status, created_at, last_activity_at, expires_at)
    values ('sess_a', 'part_a', 'active', 1, 1, 9)`,
  `insert into event_streams (stream_no, session_id, last_seq, sealed) values (1, 'sess_a', 7, 0)`,
  event(1, 'connected', 10),
  event(2, 'finished', 15),
  event(3, 'finished', 20),
  event(4, 'finished', 20, "'mine', '', null"),
  event(5, 'component_response', 20, "null, 'unknown_state', null"),
  event(6, 'note', 20),
  event(7, 'payoff', 20),
]

describe.each(['sqlite', 'postgres'] as const)('a database from before rows had an origin (%s)', (engine) => {
  async function access() {
    if (engine === 'postgres') {
      const url = await createTestDatabase()
      const pool = new pg.Pool({ connectionString: url, max: 1 })
      const raw = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
      return { raw, open: () => openPatiently(url) }
    }
    const folder = createFolderInMemory('sqlite')
    onTestFinished(() => folder.remove())
    const database = new Sqlite(join(folder.path, 'atrium.db'))
    const raw = new Kysely<never>({ dialect: new SqliteDialect({ database }) })
    return { raw, open: () => openSqlite(folder.path) }
  }

  test('[E16] rows with the exact time of a room’s action are the room’s, the others the client’s', async () => {
    const { raw, open } = await access()
    const { error } = await migratorFor(engine, raw).migrateTo('0007_session_pseudonyms')
    expect(error).toBeUndefined()
    for (const statement of formerRows) await sql.raw(statement).execute(raw)
    const aliases = async () =>
      (await sql.raw('select participant_id, alias from participants order by joined_at').execute(raw)).rows
    const database = await open()
    onTestFinished(() => database.close())
    const { lines } = await exportAll(database, experimentId)
    expect(lines.map(({ type, origin, roomSeq }) => [type, origin, roomSeq])).toEqual([
      ['connected', 'room', 1],
      ['finished', 'client', null],
      ['finished', 'room', 2],
      ['finished', 'client', null],
      ['component_response', 'client', null],
      ['note', 'client', null],
      ['payoff', 'client', null],
    ])
    for (const line of lines)
      expect(line).toMatchObject({
        roomId: 'room_1',
        condition: 'high',
        alias: 'P2',
        round: null,
        visit: null,
      })
    expect(await aliases()).toEqual([
      { participant_id: 'part_b', alias: 'P1' },
      { participant_id: 'part_a', alias: 'P2' },
      { participant_id: 'part_c', alias: null },
    ])
    await raw.destroy()
  })
})
