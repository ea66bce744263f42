import { existsSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type Postgres, startPostgres } from './postgres.ts'

let postgres: Postgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

test('a fresh database is empty, durable and in UTF-8', async () => {
  const url = await postgres.createDatabase()
  expect(await query(url, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])
  expect(await query(url, 'show fsync')).toEqual([{ fsync: 'on' }])
  expect(await query(url, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }])
  expect(await query(url, 'show max_connections')).toEqual([{ max_connections: '200' }])
})

test('databases can be created at the same time', async () => {
  const urls = await Promise.all([1, 2, 3, 4].map(() => postgres.createDatabase()))
  expect(new Set(urls).size).toBe(4)
})

test('committed rows survive a restart and a kill, at the same address', async () => {
  const url = await postgres.createDatabase()
  await query(url, 'create table kept (n int)')
  await query(url, 'insert into kept values (1)')
  await postgres.restart()
  expect(await query(url, 'select n from kept')).toEqual([{ n: 1 }])

  await query(url, 'insert into kept values (2)')
  await postgres.kill()
  await expect(query(url, 'select 1')).rejects.toThrow('ECONNREFUSED')
  await postgres.restart()
  expect(await query(url, 'select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }])
})

test('an open session gets no response while paused, but does after resume', async () => {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('select 1')
  postgres.pause()
  let answered = false
  const answer = client.query('select 1').then(() => {
    answered = true
  })
  // Others have been answered long before.
  for (let time = 0; time < 20; time++) await createTestDatabase()
  expect(answered).toBe(false)
  postgres.resume()
  await answer
  await client.end()
})

test('stop while paused ends it and removes its folder', async () => {
  const other = await startPostgres()
  const [row] = await query(other.url, 'show data_directory')
  const folder = String(row?.data_directory)
  expect(existsSync(folder)).toBe(true)
  other.pause()
  await other.stop()
  expect(existsSync(folder)).toBe(false)
})
