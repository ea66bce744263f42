import { studyOf } from '@atrium/contract'
import { createMigratedDatabase, createTestDatabase, waitUntil } from '@atrium/testkit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPatiently, queryPostgres } from '../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  completeRequest,
  exportAll,
  joined,
  joinRequest,
  newDefinition,
  oneDayMs,
  openExperiment,
  startOfTime,
} from '../../../test/stores/samples.ts'
import { pseudonymOf } from '../../kernel/ids.ts'
import { sealingKeysFrom } from '../../kernel/sealed.ts'
import { marksOfPerson } from '../../modules/sessions/held-identity.plan.ts'
import type { Database } from '../sql/stores.ts'

describe('two instances on one PostgreSQL', () => {
  let url: string
  let one: Database
  let two: Database
  beforeAll(async () => {
    url = await createMigratedDatabase()
    one = await openPatiently(url)
    two = await openPatiently(url)
  })
  afterAll(async () => {
    await Promise.all([one.close(), two.close()])
    // Statistics are complete only once all connections are closed. We survive a deadlock by retrying, but PostgreSQL
    // takes a second to notice it, and a participant would wait that long.
    const name = new URL(url).pathname.slice(1)
    await waitUntil(async () => {
      const [row] = await queryPostgres(
        url,
        `select count(*)::int as others from pg_stat_activity
        where datname = '${name}' and application_name = 'atrium'`,
      )
      return row?.others === 0 || 'connections are still closing'
    })
    expect(
      await queryPostgres(url, `select deadlocks from pg_stat_database where datname = '${name}'`),
    ).toEqual([{ deadlocks: '0' }])
  })

  const shuffled = <Item>(items: Item[], round: number): Item[] =>
    items.toSorted((a, b) => hashOf(JSON.stringify(a), round) - hashOf(JSON.stringify(b), round))
  const hashOf = (text: string, round: number): number =>
    [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 65_521, round)

  const sessionIds = async (experimentId: string, count: number, more: object = {}): Promise<string[]> => {
    const sessions = await Promise.all(Array.from({ length: count }, () => joined(one, experimentId, more)))
    return sessions.map(({ sessionId }) => sessionId)
  }

  test('[I1] overlapping groups at the same time: no deadlock, no gap, no duplicate', async () => {
    const experimentId = await openExperiment(one)
    const ids = await sessionIds(experimentId, 10)
    // Every batch goes to both instances, as when a client gives up on one and retries at the other.
    const rounds = Array.from({ length: 15 }, (_, round) =>
      [one, two].map((database) => {
        const group = shuffled(ids, round + (database === one ? 0 : 99)).map((id) =>
          aBatch(id, [anEvent(2 * round), anEvent(2 * round + 1)], {
            idempotencyKey: `k${round}`,
            bodyHash: 'h',
          }),
        )
        return database.events.append(group)
      }),
    )
    const outcomes = await Promise.all(rounds.flat())
    expect(new Set(outcomes.flat().map(({ kind }) => kind))).toEqual(new Set(['recorded']))
    const { lines } = await exportAll(one, experimentId)
    for (const id of ids) {
      const stored = lines.filter((line) => line.sessionId === pseudonymOf(id))
      expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
      const values = stored.map(({ data }) => Number(data.value))
      expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index))
      // The two events of a batch are adjacent and in order.
      for (let index = 0; index < values.length; index += 2)
        expect(values[index + 1]).toBe((values[index] ?? 0) + 1)
    }
  })

  test('both write the activity of the same sessions at the same time', async () => {
    const ids = await sessionIds(await openExperiment(one), 10)
    await Promise.all(
      Array.from({ length: 20 }, (_, round) =>
        [one, two].map((database) =>
          database.sessions.touch(
            shuffled(ids, round + (database === one ? 0 : 99)).map((sessionId) => ({
              sessionId,
              at: startOfTime + round,
            })),
          ),
        ),
      ).flat(),
    )
    expect((await one.sessions.find(ids[0] ?? ''))?.lastActivityAt).toBe(startOfTime + 19)
  })

  test('[R15,S27] both sweep expired sessions while events still arrive for them', async () => {
    const experimentId = await openExperiment(one)
    for (let round = 0; round < 5; round++) {
      const ids = await sessionIds(experimentId, 10, { expiresAt: startOfTime - round - 1 })
      await Promise.all([
        one.sessions.expire(startOfTime),
        two.events.append(shuffled(ids, round).map((id) => aBatch(id, [anEvent(1)]))),
        two.sessions.touch(shuffled(ids, round + 7).map((sessionId) => ({ sessionId, at: startOfTime + 1 }))),
        two.sessions.expire(startOfTime),
      ])
      const statuses = await Promise.all(ids.map(async (id) => (await one.sessions.find(id))?.status))
      expect(new Set(statuses)).toEqual(new Set(['expired']))
    }
  })

  test('[R14,R20,S27] joining again while the session is being completed', async () => {
    const experimentId = await openExperiment(one)
    for (let round = 0; round < 15; round++) {
      const person = { issuer: 'urn:test', subject: `racer ${round}` }
      const { sessionId } = await joined(one, experimentId, { person })
      const again = ({ sessions }: Database) => sessions.join(joinRequest(experimentId, { person }))
      const [first, ...others] = await Promise.all([
        one.sessions.complete(completeRequest(sessionId)),
        again(two),
        again(one),
        two.sessions.complete(completeRequest(sessionId)),
      ])
      // Whichever came first, all agree on it: the session was completed, or somebody returned before that.
      const isCompleted = first.kind === 'completed'
      expect([first, ...others].map(({ kind }) => kind)).toEqual(
        isCompleted
          ? ['completed', 'closed', 'closed', 'completed']
          : ['refused', 'joined', 'joined', 'refused'],
      )
      const ids = await one.sessions.idsOf(person, experimentId)
      const statuses = (await one.sessions.findMany(ids)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual(isCompleted ? ['completed'] : ['active', 'revoked', 'revoked'])
    }
  })

  test('[R22] people who join while a capacity is being set are all counted', async () => {
    const experimentId = await openExperiment(one)
    const [record, outcomes] = await Promise.all([
      openedWithCapacity(two, experimentId),
      Promise.all(Array.from({ length: 20 }, () => one.sessions.join(joinRequest(experimentId)))),
    ])
    expect(record).toMatchObject({ kind: 'revised' })
    const found = await one.experiments.find(experimentId)
    const monitor = await one.experiments.monitor(experimentId, startOfTime - oneDayMs)
    expect(found?.participantCount).toBe(monitor?.participants.total)
    const joinedCount = outcomes.filter(({ kind }) => kind === 'joined').length
    expect(found?.participantCount).toBe(joinedCount)
    expect(outcomes.filter(({ kind }) => kind === 'closed')).toHaveLength(outcomes.length - joinedCount)
  })

  test('[R22,S27] joins that wait for a capacity to be set do not upgrade their shared lock to an exclusive one', async () => {
    const experimentId = await openExperiment(one)
    const setter = new pg.Client({ connectionString: url })
    onTestFinished(() => setter.end())
    await setter.connect()
    await setter.query('begin')
    await setter.query(`update experiments set capacity = 3 where experiment_id = '${experimentId}'`)
    const joins = Promise.allSettled(Array.from({ length: 6 }, () => joined(one, experimentId)))
    await waitUntil(async () => {
      const waiting = await queryPostgres(
        url,
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return waiting.length >= 2 || `${waiting.length} joins wait`
    })
    await setter.query('commit')
    const outcomes = await joins
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(await one.experiments.find(experimentId)).toMatchObject({ participantCount: 3 })
  })

  /** Somebody else's transaction, and that ours wait for it. */
  async function others() {
    const client = new pg.Client({ connectionString: url })
    onTestFinished(() => client.end())
    await client.connect()
    await client.query('begin')
    const waiting = async () =>
      await waitUntil(async () => {
        const found = await queryPostgres(
          url,
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return found.length > 0 || 'nobody waits'
      })
    return { query: (text: string) => client.query(text), waiting }
  }

  test('[S27] a join waits for the participant alone, whose consent reveals the identity', async () => {
    const experimentId = await openExperiment(one)
    const person = { issuer: 'urn:test', subject: 'consenting' }
    const { participantId } = await joined(one, experimentId, { person })
    const consenting = await others()
    const theirs = `where participant_id = '${participantId}' for update`
    await consenting.query(`select * from participants ${theirs}`)
    const again = one.sessions.join(joinRequest(experimentId, { person }))
    await consenting.waiting()
    await consenting.query(`select * from participant_identities ${theirs} nowait`)
    await consenting.query('commit')
    expect((await again).kind).toBe('joined')
  })

  test('[S27] somebody who is forgotten while they join again is somebody new', async () => {
    const experimentId = await openExperiment(one)
    const person = { issuer: 'urn:test', subject: 'forgotten' }
    const { participantId } = await joined(one, experimentId, { person })
    const forgetting = await others()
    await forgetting.query(`select * from participants where participant_id = '${participantId}' for update`)
    const again = one.sessions.join(joinRequest(experimentId, { person }))
    await forgetting.waiting()
    await forgetting.query(`delete from participant_identities where participant_id = '${participantId}'`)
    await forgetting.query('commit')
    const outcome = await again
    expect(outcome.kind === 'joined' && outcome.session.participantId).not.toBe(participantId)
  })

  test('[S27] joining again and giving consent at the same time: no deadlock, and one open session each', async () => {
    const experimentId = await openExperiment(one)
    const sealing = sealingKeysFrom(['a secret of sessions'])
    for (let round = 0; round < 5; round++) {
      const people = await Promise.all(
        Array.from({ length: 6 }, async (_, index) => {
          const key = { issuer: 'urn:test', subject: `consents ${round} ${index}` }
          const person = { ...key, marks: marksOfPerson(sealing, key) }
          const request = { person, needsConsent: true, sealing }
          const { sessionId } = await joined(one, experimentId, request)
          return { request, sessionId }
        }),
      )
      await Promise.all(
        people.flatMap(({ request, sessionId }) => [
          two.sessions.join(joinRequest(experimentId, request)),
          one.events.append([
            aBatch(sessionId, [anEvent(1, { type: 'consent_given', data: '{}' })], {
              needsConsent: true,
              sealing,
            }),
          ]),
          one.sessions.join(joinRequest(experimentId, request)),
        ]),
      )
      for (const { request } of people) {
        const ids = await one.sessions.idsOf(request.person, experimentId)
        const statuses = (await one.sessions.findMany(ids)).map(({ status }) => status)
        expect(statuses.toSorted()).toEqual(['active', 'revoked', 'revoked'])
      }
    }
  })

  test('[S47,RM150] whoever leaves while their room is assigned counts in no cell', async () => {
    const conditions = { values: ['x', 'y'], balance: 'completed' as const }
    const experimentId = await openExperiment(one, { conditions })
    const { participantId, roomId } = await joined(one, experimentId)
    const leaving = await others()
    await leaving.query(`update participants set holds_place = 0 where participant_id = '${participantId}'`)
    const claimed = one.rooms.claim(roomId ?? '', 'pod-0', 'seed')
    await leaving.waiting()
    await leaving.query('commit')
    expect((await claimed)?.assignment).toMatchObject({ condition: expect.any(String) })
    expect(await queryPostgres(url, 'select * from assignment_counts')).toEqual([])
  })

  test('[S47] a session that is revoked while its room is assigned does not count there', async () => {
    const conditions = { values: ['x', 'y'], balance: 'completed' as const }
    const experimentId = await openExperiment(one, { conditions })
    const { participantId, sessionId } = await joined(one, experimentId)
    const assigning = await others()
    await assigning.query(`select * from participants where participant_id = '${participantId}' for update`)
    const revoked = one.sessions.revoke({ sessionId, actor: 'ada', now: startOfTime })
    await assigning.waiting()
    await assigning.query(`select * from event_streams where session_id = '${sessionId}' for update nowait`)
    await assigning.query('commit')
    expect(await revoked).toBe('revoked')
  })

  test('[S63] whom a server without cells is changing while a room begins is left to the next room', async () => {
    const conditions = { values: ['x', 'y'] }
    const experimentId = await openExperiment(one, { conditions })
    const begin = async () => {
      const session = await joined(one, experimentId)
      await one.rooms.claim(session.roomId ?? '', 'pod-0', 'seed')
      return session
    }
    const people = async () => {
      const cells = 'select sum(people)::int as people from assignment_counts'
      const [row] = await queryPostgres(url, `${cells} where experiment_id = '${experimentId}'`)
      return row?.people
    }
    const { participantId } = await begin()
    await queryPostgres(url, `update assignments set is_stale = 1 where participant_id = '${participantId}'`)
    const previous = await others()
    await previous.query(`update participants set holds_place = 0 where participant_id = '${participantId}'`)
    await begin()
    await previous.query('commit')
    expect(await people()).toBe(2)
    await begin()
    expect(await people()).toBe(2)
  })

  async function openedWithCapacity(database: Database, experimentId: string) {
    const definition = await database.experiments.definition(experimentId, 1)
    if (!definition) throw new Error('the experiment has no definition')
    const by = { experimentId, actor: 'tester', now: startOfTime }
    return await database.experiments.revise({
      ...by,
      ...newDefinition({ ...studyOf(definition), capacity: 10 }),
    })
  }
})

test('four instances can open a fresh database at the same time', async () => {
  const url = await createTestDatabase()
  const databases = await Promise.all([1, 2, 3, 4].map(() => openPatiently(url)))
  const experimentId = await openExperiment(databases[0] as Database)
  for (const database of databases)
    expect(await database.experiments.find(experimentId)).toMatchObject({ status: 'recruiting' })
  await Promise.all(databases.map((database) => database.close()))
})
