import { createMigratedDatabase, waitUntil } from '@atrium/testkit'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { failOnIdleError, queryPostgres } from '../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  everyone,
  exportAll,
  joined,
  openExperiment,
  startOfTime,
} from '../../../test/stores/samples.ts'
import type { Database } from '../sql/stores.ts'
import { openPostgres } from './open-postgres.ts'

let url: string
let database: Database
beforeAll(async () => {
  url = await createMigratedDatabase()
  // Nobody gives up here, however busy the machine is: this is about who waits for whom.
  database = await openPostgres(url, failOnIdleError, { patienceMs: 300_000 })
})
afterAll(() => database.close())

/** Connections that wait for a lock, by their application name. */
async function waiting(): Promise<Record<string, number>> {
  const rows = await queryPostgres(
    url,
    `select application_name as name, count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' group by 1`,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** Takes a lock and calls all of these again and again until it is released. */
async function askAgainst(lock: string, questions: (() => Promise<unknown>)[]) {
  const owner = new pg.Client({ connectionString: url })
  await owner.connect()
  await owner.query('begin')
  await owner.query(lock)
  let isHeld = true
  const asking = questions.map(async (ask) => {
    while (isHeld) await ask().catch(() => undefined)
  })
  async function release(): Promise<void> {
    if (!isHeld) return
    isHeld = false
    await owner.end()
    await Promise.all(asking)
  }
  onTestFinished(release)
  return { release }
}

test('[E6] blocked reports hold only their own two connections, and participants continue', async () => {
  const experimentId = await openExperiment(database)
  const { sessionId } = await joined(database, experimentId)
  const window = { from: startOfTime, to: startOfTime + 1_000, bucketMs: 1_000 }
  const listing = { experimentId, openOnly: false, before: null, limit: 10, now: startOfTime }
  const reports = [
    () => database.exports.plan(everyone(experimentId), null, null, 4),
    () => database.experiments.monitor(experimentId, startOfTime),
    () => database.experiments.activity(experimentId, window),
    () => database.rooms.list(listing),
  ]
  // Every report reads this table; storing events does not.
  const held = await askAgainst(
    'lock table participants in access exclusive mode',
    Array.from({ length: 8 }, () => reports).flat(),
  )
  await waitUntil(async () => (await waiting())['atrium reports'] === 2 || 'no report waits yet')
  for (let round = 0; round < 40; round++)
    expect(await database.events.append([aBatch(sessionId, [anEvent(round)])])).toMatchObject([
      { kind: 'recorded' },
    ])
  expect((await waiting()).atrium).toBeUndefined()
  await held.release()
  expect((await exportAll(database, experimentId)).lines).toHaveLength(40)
})

test('[E6] an export is read while every other connection is in use', async () => {
  const experimentId = await openExperiment(database)
  const { sessionId } = await joined(database, experimentId)
  await database.events.append([aBatch(sessionId, [anEvent(1), anEvent(2)])])
  const send = () => database.events.append([aBatch(sessionId, [anEvent(3)])])
  await askAgainst(
    `select * from event_streams where session_id = '${sessionId}' for update`,
    Array.from({ length: 30 }, () => send),
  )
  await waitUntil(async () => (await waiting()).atrium === 10 || 'connections are left')
  expect((await exportAll(database, experimentId)).lines).toHaveLength(2)
})
