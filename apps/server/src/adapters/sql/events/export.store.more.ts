import { expect, test } from 'vitest'
import { describeOnBothEngines } from '../../../../test/stores/engines.ts'
import {
  aBatch,
  anEvent,
  exportAll,
  exportPages,
  joined,
  openExperiment,
  startOfTime,
} from '../../../../test/stores/samples.ts'
import { pseudonymOf } from '../../../kernel/ids.ts'

describeOnBothEngines('export', (engine) => {
  test('[R23] sessions with more events than fit on a page are exported completely and in order', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    // 1,500 is exactly one page and 3,900 ends within its third; what follows must be neither skipped nor repeated.
    const sizes = [3_900, 0, 1_500, 3, 1_499, 1]
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
        Array.from({ length: size }, (_, number) => [pseudonymOf(session.sessionId), number + 1, number]),
      ),
    )
  })

  test('[E24] people who never got a room have no role', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const waiting = await joined(database, experimentId, { soloRoom: false })
    const alone = await joined(database, experimentId, { now: startOfTime + 1 })
    for (const { sessionId } of [waiting, alone])
      await database.events.append([aBatch(sessionId, [anEvent(1)])])
    const { lines } = await exportAll(database, experimentId)
    expect(lines.map(({ role }) => role)).toEqual([null, 'participant'])
  })

  test('[E6] a page is limited in bytes too: large events come few at a time, complete and in order', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const kilobytes = [1, 900, 1, 1, 200, 90, 900, 900, ...Array.from({ length: 400 }, () => 2), 700]
    const sessions = [await joined(database, experimentId), await joined(database, experimentId)]
    const events = kilobytes.map((size, value) => {
      const data = JSON.stringify({ value, text: 'x'.repeat(500 * size) })
      const extra = JSON.stringify({ text: 'é'.repeat(250 * size) })
      return anEvent(value, { data, extra })
    })
    for (const { sessionId } of sessions) await database.events.append([aBatch(sessionId, events)])
    const pages = await exportPages(database, experimentId)
    expect((await exportAll(database, experimentId)).lines.map(({ seq, data }) => [seq, data.value])).toEqual(
      sessions.flatMap(() => kilobytes.map((_, value) => [value + 1, value])),
    )
    // 768 KiB, plus one event at most.
    for (const { lines } of pages) {
      const beforeLast = lines.slice(0, lines.lastIndexOf('\n', lines.length - 2) + 1)
      expect(Buffer.byteLength(beforeLast)).toBeLessThanOrEqual(786_432)
    }
  })

  test('[R23] more sessions than a page: oldest first per participant, nobody twice', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    const joins = []
    // All joined in the same millisecond, and the order must still be total.
    for (let round = 0; round < 45; round++)
      joins.push(...(await Promise.all(Array.from({ length: 10 }, () => joined(database, experimentId)))))
    await database.events.append(joins.map(({ sessionId }, index) => aBatch(sessionId, [anEvent(index)])))
    const { lines, pages } = await exportAll(database, experimentId)
    expect(pages).toBeGreaterThan(1)
    expect(lines.map((line) => line.participantId)).toEqual(
      joins.map(({ participantId }) => participantId).sort(),
    )
  })

  test('[R23] the sessions of a participant who resumed follow each other', async () => {
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
      [first.participantId, pseudonymOf(first.sessionId), 1],
      [first.participantId, pseudonymOf(second.sessionId), 1],
    ])
  })

  test('the export of an experiment without events, or of no experiment, is empty', async () => {
    const { database } = engine()
    const experimentId = await openExperiment(database)
    await joined(database, experimentId)
    expect(await exportAll(database, experimentId)).toEqual({ lines: [], pages: 1 })
    expect(await exportAll(database, 'exp_unknown')).toEqual({ lines: [], pages: 1 })
  })
})
