import { createTestDatabase, waitUntil } from '@atrium/testkit'
import { beforeAll, expect, test } from 'vitest'
import { openPatiently, queryPostgres } from '../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  everyone,
  joined,
  openExperiment,
  startOfTime,
} from '../../../test/stores/samples.ts'
import { newRoomId, pseudonymOf } from '../../kernel/ids.ts'
import type { Database } from '../sql/stores.ts'

/** More rows than a lookup may read, so that a full scan is noticed. */
const others = 400
const maxRows = 100
/** A few hundred narrow rows, which PostgreSQL rightly scans. */
const otherExperiments = 10 * others

let url: string
let experimentId: string
let group: { roomId: string; epoch: number; participantIds: string[]; sessionIds: string[] }

async function withDatabase<Value>(act: (database: Database) => Promise<Value>): Promise<Value> {
  const database = await openPatiently(url)
  try {
    return await act(database)
  } finally {
    await database.close()
  }
}

beforeAll(async () => {
  url = await createTestDatabase()
  await withDatabase(async (database) => {
    experimentId = await openExperiment(database)
    const join = () => joined(database, experimentId, { soloRoom: false })
    for (let index = 0; index < others; index += 10) await Promise.all(Array.from({ length: 10 }, join))
    const people = await Promise.all(Array.from({ length: 4 }, join))
    const participantIds = people.map(({ participantId }) => participantId)
    const roomId = newRoomId()
    await database.rooms.create({
      roomId,
      experimentId,
      podId: 'pod-0',
      now: startOfTime,
      agents: [],
      members: participantIds.map((participantId) => ({ participantId, role: null })),
    })
    const claimed = await database.rooms.claim(roomId, 'pod-0', 'seed')
    const sessionIds = people.map(({ sessionId }) => sessionId)
    group = { roomId, epoch: claimed?.epoch ?? 0, participantIds, sessionIds }
  })
  // Old rooms: there are always more of them than open ones.
  await queryPostgres(
    url,
    `insert into rooms (room_id, experiment_id, revision, pod_id, created_at, closed_at, epoch, seed, ordinal)
    select 'room_' || n, '${experimentId}', 1, 'pod-gone', n, n, 1, '', n from generate_series(1, ${others}) n`,
  )
  // Other researchers: each has an experiment and shares it with somebody.
  await queryPostgres(
    url,
    `insert into experiments (experiment_id, status, revision, name, participant_count, created_at, updated_at)
    select 'exp_' || n, 'draft', 1, 'Other', 0, n, n from generate_series(1, ${otherExperiments}) n`,
  )
  await queryPostgres(
    url,
    `insert into experiment_revisions (experiment_id, revision, name, definition, created_by, created_at)
    select 'exp_' || n, 1, 'Other', '{}', 'maker ' || n, n from generate_series(1, ${otherExperiments}) n`,
  )
  await queryPostgres(
    url,
    `insert into experiment_shares (experiment_id, principal, user_name, access, position)
    select 'exp_' || n, 'reader ' || n, 'reader', 'view', 0 from generate_series(1, ${otherExperiments}) n`,
  )
  await queryPostgres(url, 'analyze')
})

/** Rows and index entries read so far in all tables. A closed connection has reported everything it read. */
async function rowsRead(): Promise<number> {
  await waitUntil(async () => {
    const [row] = await queryPostgres(
      url,
      `select count(*)::int as open from pg_stat_activity
      where datname = current_database() and application_name like 'atrium%'`,
    )
    return row?.open === 0 || 'connections are still closing'
  })
  const [row] = await queryPostgres(
    url,
    `select
    (select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes) as read`,
  )
  return Number(row?.read)
}

const lookups: Record<string, (database: Database) => Promise<unknown>> = {
  joining: (database) => joined(database, experimentId, { soloRoom: false }),
  'sending events': (database) =>
    database.events.append(
      group.sessionIds.map((id) =>
        aBatch(id, [anEvent(1, { eventId: 'e1' }), anEvent(2)], { idempotencyKey: 'k' }),
      ),
    ),
  'acting in a room': (database) =>
    database.rooms.append([
      {
        roomId: group.roomId,
        epoch: group.epoch,
        seq: 1,
        at: startOfTime,
        action: '{}',
        actor: 'x',
        actionId: null,
        status: null,
        decisions: [],
        records: group.participantIds.map((participantId) => ({
          participantId,
          event: { ...anEvent(3), round: null, visit: null },
        })),
        condition: null,
      },
    ]),
  'ending in a room': (database) =>
    database.rooms.append([
      {
        roomId: group.roomId,
        epoch: group.epoch,
        seq: 2,
        at: startOfTime,
        action: '{}',
        actor: 'x',
        actionId: null,
        status: null,
        records: [],
        condition: null,
        decisions: group.participantIds.map((participantId) => ({
          participantId,
          outcome: 'ABANDONED',
          givesPlaceBack: true,
          decidedBy: 'client' as const,
        })),
      },
    ]),
  'reading sessions': (database) => database.sessions.findMany(group.sessionIds),
  'finding a session by its pseudonym': (database) =>
    database.sessions.findId(pseudonymOf(group.sessionIds[0] ?? '')),
  'looking for a pseudonym that nobody has': (database) =>
    database.sessions.findId(pseudonymOf('sess_nobody')),
  'finding out who may see an experiment': (database) =>
    database.accesses.find({ kind: 'experimentId', id: experimentId }, ['reader 1', 'reader 2']),
  'finding out who may see a room': (database) =>
    database.accesses.find({ kind: 'roomId', id: group.roomId }, ['reader 1', 'reader 2']),
  'finding out who may see a session': (database) =>
    database.accesses.find({ kind: 'sessionId', id: group.sessionIds[0] ?? '' }, ['reader 1']),
  'listing the experiments of a researcher': (database) =>
    database.accesses.visible(['maker 7', 'examples'], ['reader 8', 'reader 9']),
  'finding who is there': (database) => database.sessions.activeIdsOf(group.participantIds),
  'noting activity': (database) =>
    database.sessions.touch(group.sessionIds.map((sessionId) => ({ sessionId, at: startOfTime + 1 }))),
  'reading a room': (database) => database.rooms.load(group.roomId),
  'taking a room': (database) => database.rooms.claim(group.roomId, 'pod-1', 'seed'),
  'making a room': async (database) => {
    const person = await joined(database, experimentId, { soloRoom: false })
    await database.rooms.create({
      roomId: newRoomId(),
      experimentId,
      podId: 'pod-0',
      now: startOfTime,
      agents: [],
      members: [{ participantId: person.participantId, role: null }],
    })
  },
  'looking for rooms without a pod': (database) => database.rooms.orphans(['pod-0', 'pod-1']),
  'looking for rooms that are due': (database) => database.rooms.due(startOfTime, null),
  'looking for the rooms of a pod': (database) => database.rooms.openRoomsOf('pod-gone'),
  'looking for sessions that are over': (database) => database.sessions.expire(startOfTime),
  'former partners': (database) => database.rooms.formerPartners(experimentId, group.participantIds),
  'the end of an export': (database) =>
    database.exports.plan(
      everyone(experimentId),
      null,
      {
        joinedAt: startOfTime,
        participantId: 'part_~ after everybody',
        ...{ isAgent: false, startedAt: 0, sessionId: '', seq: 0 },
      },
      4,
    ),
  completing: (database) => database.sessions.complete(completeRequest(group.sessionIds[0] ?? '')),
}

async function rowsReadBy(act: (database: Database) => Promise<unknown>): Promise<number> {
  const before = await rowsRead()
  await withDatabase(act)
  return (await rowsRead()) - before
}

test.each(Object.keys(lookups))('%s reads few rows, however many there are', async (name) => {
  // Opening reads the record of migrations, of which there are more with every release.
  const opening = await rowsReadBy(async () => undefined)
  expect((await rowsReadBy(async (database) => lookups[name]?.(database))) - opening).toBeLessThan(maxRows)
})
