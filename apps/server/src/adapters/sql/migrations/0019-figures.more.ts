import { join } from 'node:path'
import { createFolderInMemory, createTestDatabase } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPatiently, queryPostgres } from '../../../../test/stores/engines.ts'
import { startOfTime } from '../../../../test/stores/samples.ts'
import { openSqlite } from '../../sqlite/open-sqlite.ts'
import { migrateUpTo } from './migrations.ts'

const experimentId = 'exp_1'
const events = 6_000

const stream = (streamNo: number, name: string) => [
  `insert into event_streams (stream_no, session_id, last_seq, sealed)
    values (${streamNo}, '${name}', ${events}, 0)`,
  `with recursive numbered (seq) as (select 1 union all select seq + 1 from numbered where seq < ${events})
    insert into events (stream_no, seq, type, timestamp, received_at, data, flags)
    select ${streamNo}, seq, 'x', 1, ${startOfTime} + seq, '{}', '' from numbered`,
]
const person = (id: string, outcome: string, status: string, missing: number) => [
  `insert into participants (participant_id, experiment_id, revision, role, joined_at, outcome)
    values ('${id}', '${experimentId}', 1, 'participant', ${startOfTime}, ${outcome})`,
  `insert into sessions
    (session_id, participant_id, status, created_at, last_activity_at, expires_at, ended_at, missing_events)
    values ('sess_${id}', '${id}', '${status}', 1, 1, 9, ${startOfTime + 5_000}, ${missing})`,
]
const agent = (id: string, room: string, pilot: string) => [
  `insert into rooms (room_id, experiment_id, revision, pod_id, created_at, pilot_id)
    values ('${room}', '${experimentId}', 1, 'pod', 1, ${pilot})`,
  `insert into agent_participants
    (participant_id, session_id, experiment_id, room_id, agent_id, role, alias, seated_at)
    values ('${id}', 'agent:${id}', '${experimentId}', '${room}', 'ada', 'participant', 'P1', 1)`,
]

/** What 0018 left behind. */
const formerRows = [
  `insert into experiments (experiment_id, status, revision, name, participant_count, created_at, updated_at)
    values ('${experimentId}', 'recruiting', 1, 'Old', 2, 1, 1)`,
  ...person('a', "'SUCCESS'", 'completed', 3),
  ...person('b', 'null', 'expired', 0),
  ...agent('with_people', 'room_1', 'null'),
  ...agent('alone', 'room_2', "'pilot_1'"),
  ...stream(1, 'sess_a'),
  ...stream(2, 'sess_b'),
  ...stream(3, 'agent:with_people'),
  ...stream(4, 'agent:alone'),
]

describe.each(['sqlite', 'postgres'] as const)('a database from before there were figures (%s)', (engine) => {
  async function access() {
    if (engine === 'postgres') {
      const url = await createTestDatabase()
      const pool = new pg.Pool({ connectionString: url, max: 2 })
      const raw = new Kysely<never>({ dialect: new PostgresDialect({ pool }) })
      return {
        raw,
        open: () => openPatiently(url),
        change: (statement: string) => queryPostgres(url, statement),
      }
    }
    const folder = createFolderInMemory('sqlite')
    onTestFinished(() => folder.remove())
    const database = new Sqlite(join(folder.path, 'atrium.db'))
    const raw = new Kysely<never>({ dialect: new SqliteDialect({ database }) })
    const change = async (statement: string) => {
      const outsider = new Sqlite(join(folder.path, 'atrium.db'))
      outsider.exec(statement)
      outsider.close()
    }
    return { raw, open: () => openSqlite(folder.path), change }
  }

  test('[X51] counts what the previous release has stored after going back to it', async () => {
    const { raw, open, change } = await access()
    await migrateUpTo('0018_pilots', engine, raw)
    for (const row of formerRows) await sql.raw(row).execute(raw)
    await raw.destroy()
    const now = startOfTime + 10_000
    const before = await open()
    while (await before.figures.countMissed(now));
    await before.close()
    await change(`insert into events (stream_no, seq, type, timestamp, received_at, data, flags)
      values (1, ${events + 1}, 'x', 1, ${now}, '{}', '')`)
    await change(`update event_streams set last_seq = last_seq + 1 where stream_no = 1`)
    const after = await open()
    onTestFinished(() => after.close())
    const counted = { events: 3 * events + 1, lastEventAt: new Date(now).toISOString() }
    expect(await after.experiments.monitor(experimentId, now)).toMatchObject(counted)
    while (await after.figures.countMissed(now));
    expect(await after.experiments.monitor(experimentId, now)).toMatchObject(counted)
  })

  test('[X53] events that are counted without tallies are counted again, once, with their days', async () => {
    const { raw, open } = await access()
    await migrateUpTo('0023_prolific', engine, raw)
    const answer = (seq: number, streamNo: number) =>
      `insert into events (stream_no, seq, type, state_id, component_id, timestamp, received_at, data, flags)
        values (${streamNo}, ${seq}, 'component_response', 's1', 'c1', 1, ${startOfTime}, '{"responseTime":250}', '')`
    for (const row of [
      `insert into experiments (experiment_id, status, revision, name, participant_count, created_at, updated_at)
        values ('${experimentId}', 'recruiting', 1, 'Old', 2, 1, 1)`,
      ...person('a', "'SUCCESS'", 'completed', 0),
      // Everything of the first person is in the figures already; the join of the second is not.
      'delete from figure_deltas',
      `insert into event_streams (stream_no, session_id, last_seq, sealed, counted_seq, experiment_id, kind)
        values (1, 'sess_a', 2, 0, 2, '${experimentId}', 'people')`,
      answer(1, 1),
      answer(2, 1),
      `insert into experiment_totals (experiment_id, events, sessions_with_gaps, last_event_at)
        values ('${experimentId}', 2, 0, ${startOfTime})`,
      `insert into outcome_counts (experiment_id, revision, is_decided, outcome, people)
        values ('${experimentId}', 1, 1, 'SUCCESS', 1)`,
      ...person('b', 'null', 'active', 0),
    ])
      await sql.raw(row).execute(raw)
    await raw.destroy()
    const database = await open()
    onTestFinished(() => database.close())
    const now = startOfTime + 10_000
    const day = startOfTime - (startOfTime % 86_400_000)
    for (const step of ['migrated', 'counted', 'folded']) {
      if (step === 'counted') while (await database.figures.countMissed(now));
      if (step === 'folded') while (await database.figures.fold(now));
      const { events: stored, participants } = (await database.experiments.monitor(experimentId, now)) ?? {}
      const { days, tallies, isCounting } = await database.experiments.plots(experimentId)
      expect({ stored, total: participants?.total, days }).toEqual({
        stored: 2,
        total: 2,
        days: [{ at: day, joined: 2, completed: 1 }],
      })
      expect([isCounting, tallies.map(({ bucket, count }) => [bucket, count])]).toEqual(
        step === 'migrated' ? [true, []] : [false, [[1, 2]]],
      )
    }
  })

  test('[X51] has its figures as soon as it is migrated, and in every step of the count', async () => {
    const { raw, open } = await access()
    await migrateUpTo('0018_pilots', engine, raw)
    for (const row of formerRows) await sql.raw(row).execute(raw)
    await raw.destroy()
    const database = await open()
    onTestFinished(() => database.close())
    const now = startOfTime + 10_000
    const window = { from: startOfTime, to: startOfTime + 60_000, bucketMs: 30_000 }
    let steps = 0
    const compare = async () => {
      expect(await database.experiments.monitor(experimentId, now)).toMatchObject({
        participants: { total: 2, completed: 1 },
        outcomes: { SUCCESS: 1 },
        events: 3 * events,
        sessionsWithGaps: 1,
        lastEventAt: new Date(startOfTime + events).toISOString(),
      })
      const {
        joined,
        completed,
        events: received,
      } = await database.experiments.activity(experimentId, window)
      const total = (counts: { bucket: number; count: number }[]) =>
        counts.reduce((sum, { count }) => sum + count, 0)
      expect([joined, completed, received].map(total)).toEqual([2, 1, 2 * events])
    }
    do {
      await compare()
      steps++
    } while (await database.figures.countMissed(now))
    expect(steps).toBeGreaterThan(4)
    await compare()
    while (await database.figures.fold(now)) await compare()
    await compare()
  })
})
