import { join } from 'node:path'
import { createFolderInMemory, waitUntil } from '@atrium/testkit'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import {
  aBatch,
  anEvent,
  exportAll,
  joined,
  openExperiment,
  startOfTime,
} from '../../../test/stores/samples.ts'
import { openSqlite } from './open-sqlite.ts'

test('a folder belongs to one server, even after garbage collection in its thread', async () => {
  const folder = createFolderInMemory('sqlite')
  const database = await openSqlite(folder.path)
  const refusal = `DATA_DIR is in use by another server: ${folder.path}`
  // Enough garbage that an unreferenced lock would be collected, and so released.
  const { sessionId } = await joined(database, await openExperiment(database))
  const data = JSON.stringify({ value: 'x'.repeat(20_000) })
  for (let round = 0; round < 10; round++) {
    const events = Array.from({ length: 50 }, (_, index) => anEvent(index, { data }))
    await database.events.append([aBatch(sessionId, events)])
  }
  await expect(openSqlite(folder.path)).rejects.toThrow(refusal)
  await database.close()
  folder.remove()
})

test('closing finishes or refuses the calls under way; whatever was acknowledged is still there afterwards', async () => {
  const folder = createFolderInMemory('sqlite')
  const first = await openSqlite(folder.path)
  const experimentId = await openExperiment(first)
  const { sessionId } = await joined(first, experimentId)
  await first.events.append([aBatch(sessionId, [anEvent(0)])])
  const appends = Array.from({ length: 20 }, (_, index) =>
    first.events.append([aBatch(sessionId, [anEvent(index + 1)])]),
  )
  const settled = Promise.allSettled(appends)
  await first.close()
  const acknowledged = (await settled).filter(({ status }) => status === 'fulfilled').length
  await expect(first.operations.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  const again = await openSqlite(folder.path)
  const { lines } = await exportAll(again, experimentId)
  expect(lines.length).toBeGreaterThan(acknowledged)
  expect(lines.map(({ seq, data }) => [seq, data.value])).toEqual(lines.map((_, index) => [index + 1, index]))
  await again.close()
  folder.remove()
})

test('when SQLite rolls back by itself, as on a full disk, the caller learns why and the next call works', async () => {
  const folder = createFolderInMemory('sqlite')
  const database = await openSqlite(folder.path)
  const experimentId = await openExperiment(database)
  const { sessionId } = await joined(database, experimentId)
  const owner = new Sqlite(join(folder.path, 'atrium.db'))
  owner.exec(`create trigger full before insert on events
    when new.type = 'too_much' begin select raise(rollback, 'no room left'); end`)
  const send = (type: string) =>
    database.events.append([aBatch(sessionId, [anEvent(1), anEvent(2, { type })])])
  await expect(send('too_much')).rejects.toThrow('no room left')
  await send('fits')
  expect((await exportAll(database, experimentId)).lines.map(({ seq }) => seq)).toEqual([1, 2])
  owner.close()
  await database.close()
  folder.remove()
})

test('a thread that runs out of memory is replaced: acknowledged calls are stored, calls under way are refused', async () => {
  const folder = createFolderInMemory('sqlite')
  const errors: unknown[] = []
  const database = await openSqlite(folder.path, {
    onError: (error) => errors.push(error),
    resourceLimits: { maxOldGenerationSizeMb: 48 },
  })
  const experimentId = await openExperiment(database)
  const { sessionId } = await joined(database, experimentId)
  const append = (first: number, count: number, value: string) => {
    const data = JSON.stringify({ value })
    const events = Array.from({ length: count }, (_, index) => anEvent(first + index, { data }))
    return database.events.append([aBatch(sessionId, events)])
  }
  await append(1, 1, 'before')
  const refused = { code: 'UNAVAILABLE' }
  await Promise.all([
    expect(append(2, 8, 'x'.repeat(20_000_000))).rejects.toMatchObject(refused),
    expect(database.operations.ping()).rejects.toMatchObject(refused),
  ])
  await waitUntil(() => database.operations.ping().then(() => true as const))
  expect(errors).toMatchObject([{ code: 'ERR_WORKER_OUT_OF_MEMORY' }])
  await append(10, 1, 'after')
  const { lines } = await exportAll(database, experimentId)
  expect(lines.map(({ data }) => data.value)).toEqual(['before', 'after'])
  await database.close()
  folder.remove()
})

test('[E6] an export is read while the writer is busy', async () => {
  const folder = createFolderInMemory('sqlite')
  const database = await openSqlite(folder.path)
  const experimentId = await openExperiment(database)
  const { sessionId } = await joined(database, experimentId)
  await database.events.append([aBatch(sessionId, [anEvent(1), anEvent(2)])])
  const order: string[] = []
  // One transaction that takes hundreds of times as long as the export. On one thread the export would wait for it.
  const batches = Array.from({ length: 60 }, () =>
    aBatch(
      sessionId,
      Array.from({ length: 500 }, () => anEvent(3)),
    ),
  )
  const written = database.events.append(batches).then(() => order.push('written'))
  expect((await exportAll(database, experimentId)).lines).toHaveLength(2)
  expect(await database.experiments.monitor(experimentId, startOfTime)).toMatchObject({ events: 2 })
  order.push('exported')
  await written
  expect(order).toEqual(['exported', 'written'])
  await database.close()
  folder.remove()
})
