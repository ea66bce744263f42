import { createMigratedDatabase } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { openPatiently, queryPostgres } from '../../../test/stores/engines.ts'
import { joined, openExperiment } from '../../../test/stores/samples.ts'
import { PreparedStatements } from './prepared-statements.ts'

test('instances keep working while a newer one changes the tables under their prepared statements', async () => {
  const url = await createMigratedDatabase()
  const database = await openPatiently(url)
  const experimentId = await openExperiment(database)
  // In parallel, so that several connections have prepared them.
  const useAll = () =>
    Promise.all(
      Array.from({ length: 6 }, async () => {
        expect(await database.experiments.find(experimentId)).toMatchObject({ experimentId })
        return await joined(database, experimentId)
      }),
    )
  for (let migration = 0; migration < 3; migration++) {
    await useAll()
    for (const table of ['experiments', 'sessions', 'rooms'])
      await queryPostgres(url, `alter table ${table} add column later_${migration} text`)
  }
  await useAll()
  await database.close()
})

test('a statement has one name on all connections, and a new one after it was forgotten', () => {
  const statements = new PreparedStatements()
  const name = statements.nameOf('select 1 where $1')
  expect(statements.nameOf('select 2 where $1')).not.toBe(name)
  expect(statements.nameOf('select 1 where $1')).toBe(name)
  statements.forget()
  expect(statements.nameOf('select 1 where $1')).not.toBe(name)
})

test('statements built from values do not accumulate without limit', () => {
  const statements = new PreparedStatements()
  for (let index = 0; index < 10_000; index++) statements.nameOf(`select ${index}`)
  expect(statements.nameOf('select 0')).toBeDefined()
  expect(statements.nameOf('select 9999')).toBeUndefined()
})
