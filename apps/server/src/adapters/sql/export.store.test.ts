import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  exportAll,
  joined,
  openExperiment,
  startOfTime,
} from '../../../test/stores/samples.ts'

describeOnBothEngines('export', (engine) => {
  test('[R23] sessions with more events than a page come out whole and in order', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    // 1,000 is exactly one page; 2,500 ends within its third; what follows must not be skipped or repeated.
    const sizes = [2_500, 0, 1_000, 3, 999, 1]
    const sessions = []
    for (const [index, size] of sizes.entries()) {
      const session = await joined(database, experimentId, { now: startOfTime + index })
      const events = Array.from({ length: size }, (_, number) => anEvent(number))
      if (size > 0) await database.events.append([aBatch(session.sessionId, events)])
      sessions.push({ session, size })
    }
    const { lines, pages } = await exportAll(database, experimentId)
    expect(pages).toBeGreaterThan(3)
    expect(lines.map(({ sessionId, seq, data }) => [sessionId, seq, data.value])).toEqual(
      sessions.flatMap(({ session, size }) =>
        Array.from({ length: size }, (_, number) => [session.sessionId, number + 1, number]),
      ),
    )
  })

  test('[R23] more sessions than a page: oldest first per participant, nobody twice', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const joins = []
    // All joined in the same millisecond: the order must still be total.
    for (let round = 0; round < 45; round++)
      joins.push(...(await Promise.all(Array.from({ length: 10 }, () => joined(database, experimentId)))))
    await database.events.append(joins.map(({ sessionId }, index) => aBatch(sessionId, [anEvent(index)])))
    const { lines, pages } = await exportAll(database, experimentId)
    expect(pages).toBeGreaterThan(2)
    expect(lines.map((line) => line.participantId)).toEqual(
      joins.map(({ participantId }) => participantId).sort(),
    )
  })

  test('[R23] a participant who resumed has their sessions one after the other', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const person = { issuer: 'urn:test', subject: 'returns' }
    const first = await joined(database, experimentId, { person })
    await joined(database, experimentId, { now: startOfTime + 1 })
    await database.events.append([aBatch(first.sessionId, [anEvent(1)])])
    const second = await joined(database, experimentId, { person, now: startOfTime + 2 })
    await database.events.append([aBatch(second.sessionId, [anEvent(2)])])
    const { lines } = await exportAll(database, experimentId)
    expect(lines.map(({ participantId, sessionId, seq }) => [participantId, sessionId, seq])).toEqual([
      [first.participantId, first.sessionId, 1],
      [first.participantId, second.sessionId, 1],
    ])
  })

  test('an experiment without events, or none at all, is an empty export', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    await joined(database, experimentId)
    expect(await exportAll(database, experimentId)).toEqual({ lines: [], pages: 1 })
    expect(await exportAll(database, 'exp_unknown')).toEqual({ lines: [], pages: 1 })
  })
})
