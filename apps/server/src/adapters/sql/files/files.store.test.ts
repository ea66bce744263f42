import { expect, test } from 'vitest'
import { noQuota } from '../../../../test/no-quota.ts'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  joined,
  joinRequest,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'

const mib = 1_048_576
const quota = { participantBytes: 10 * mib, experimentBytes: 15 * mib }

describeOnBothEngines('bytes of files and events', (engine) => {
  /** What is known of an experiment once its changes are folded. */
  async function bytesOf(experimentId: string): Promise<number> {
    const { database, rows } = engine()
    while (await database.figures.fold(startOfTime)) {}
    const [row] = await rows(`select bytes from experiment_totals where experiment_id = '${experimentId}'`)
    return Number(row?.bytes ?? 0)
  }

  async function bytesOfStreams(experimentId: string): Promise<number> {
    const sum = `select sum(stored_bytes + file_bytes) as bytes from event_streams where experiment_id = '${experimentId}'`
    const [row] = await engine().rows(sum)
    return Number(row?.bytes)
  }

  test('[FI9] files that arrive together stay within the quota of their participant, over all their sessions', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const person = { issuer: 'urn:test', subject: `files-${experimentId}` }
    const { sessionId } = await joined(database, experimentId, { person })
    const reserve = (id = sessionId) => database.files.reserve({ sessionId: id, bytes: 4 * mib }, quota)
    const outcomes = await Promise.all([reserve(), reserve(), reserve(), reserve()])
    const over = { scope: 'participant', usedBytes: 8 * mib, limitBytes: 10 * mib }
    expect(outcomes.filter((one) => one === undefined)).toHaveLength(2)
    expect(outcomes.filter((one) => one !== undefined)).toEqual([over, over])
    const again = await joined(database, experimentId, { person, now: startOfTime + 5 })
    expect(await reserve(again.sessionId)).toEqual(over)
    await database.files.release({ sessionId, bytes: 4 * mib })
    expect(await reserve(again.sessionId)).toBeUndefined()
  })

  test('[E27,FI9] an experiment has the bytes of all its people, and gets those of a deleted one back', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const [ann, ben] = [await joined(database, experimentId), await joined(database, experimentId)]
    await database.files.reserve({ sessionId: ann.sessionId, bytes: 4 * mib }, quota)
    const data = JSON.stringify('x'.repeat(5_000))
    await database.events.append([
      aBatch(ann.sessionId, [anEvent(1, { data })], { idempotencyKey: 'k' }),
      aBatch(ben.sessionId, [anEvent(1, { data })]),
    ])
    const all = await bytesOf(experimentId)
    expect(all).toBe(await bytesOfStreams(experimentId))
    expect(all).toBeGreaterThan(4 * mib + 10_000)
    const { sessionId, participantId } = ann
    const erasure = {
      experimentId,
      participantId,
      actor: 'ada',
      requestedBy: 'researcher',
      now: startOfTime,
    } as const
    await database.privacy.erase({
      ...erasure,
      erasedId: `erased_${participantId}`,
      condition: null,
      room: null,
    })
    const ofBen = await bytesOf(experimentId)
    expect(ofBen).toBe(await bytesOfStreams(experimentId))
    expect(ofBen).toBeLessThan(10_000)
    // Nothing is counted for somebody who is gone.
    await database.files.release({ sessionId, bytes: 4 * mib })
    expect(await bytesOf(experimentId)).toBe(ofBen)
  })

  test('[E27] somebody who resumes has the bytes of their former sessions, and the experiment refuses newcomers first', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const person = { issuer: 'urn:test', subject: `back-${experimentId}` }
    const first = await joined(database, experimentId, { person })
    const data = JSON.stringify('x'.repeat(5_000))
    const limited = { participantBytes: 8_000, experimentBytes: noQuota.experimentBytes }
    const send = async (sessionId: string, number: number) =>
      await database.events.append([aBatch(sessionId, [anEvent(number, { data })], { quota: limited })])
    expect(await send(first.sessionId, 1)).toMatchObject([{ kind: 'recorded' }])
    const second = await joined(database, experimentId, { person, now: startOfTime + 5 })
    expect(await send(second.sessionId, 2)).toMatchObject([
      { kind: 'over_quota', over: { scope: 'participant', limitBytes: 8_000 } },
    ])
    await bytesOf(experimentId)
    const full = { participantBytes: noQuota.participantBytes, experimentBytes: 8_000 }
    const knock = (more: object) =>
      database.sessions.join(joinRequest(experimentId, { quota: full, ...more }))
    expect(await knock({})).toMatchObject({ kind: 'over_quota', over: { scope: 'experiment' } })
    expect(await knock({ person, now: startOfTime + 9 })).toMatchObject({ kind: 'joined' })
    expect(await knock({ quota: noQuota, hasSpace: false })).toEqual({ kind: 'no_space' })
  })
})
