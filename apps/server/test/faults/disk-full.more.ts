import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { experimentRoutes, operationsRoutes, participantRoutes } from '@atrium/contract'
import {
  type Api,
  createApi,
  createPerson,
  createResearcher,
  numberedEvent,
  smallestDefinition,
  startWorld,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { expect, test } from 'vitest'
import { queryPostgres } from '../stores/engines.ts'

/** The result of a check is cached for some seconds, so this polls. */
const untilReadyIs = (api: Api, expected: { status: number; body: object }) =>
  waitUntil(
    async () => {
      const { status, text } = await api.call(operationsRoutes.ready)
      const isMet = status === expected.status && text.includes(JSON.stringify(expected.body).slice(1, -1))
      return isMet || `${status} ${text}`
    },
    { timeoutMs: 240_000 },
  )

const full = { status: 503, body: { code: 'UNAVAILABLE', details: { reason: 'disk_full' } } }
const readOnly = { status: 503, body: { code: 'UNAVAILABLE', details: { reason: 'read_only' } } }
const ready = { status: 200, body: { status: 'ready' } }

test('a server whose files cannot grow is alive but not ready, says why, and recovers', async () => {
  const world = await startWorld('embedded')
  const server = world.any()
  const api = createApi(server.http)
  // To the process a file size limit looks like a full disk, and setting it needs no privileges.
  const growTo = (bytes: string) =>
    execFileSync('prlimit', ['--pid', String(server.pid), `--fsize=${bytes}:`])
  const researcher = await createResearcher(api)
  const experimentId = await researcher.openExperiment()
  const session = await (await createPerson(api)).join(experimentId)
  const send = (value: number) =>
    api.call(participantRoutes.eventsV4, { session, body: { events: [numberedEvent(value)] } })
  succeeded(await send(1))
  await untilReadyIs(api, ready)
  growTo('4096')
  await untilReadyIs(api, full)
  expect((await api.call(operationsRoutes.live)).status).toBe(200)
  expect((await send(2)).status).toBe(503)
  growTo('unlimited')
  await untilReadyIs(api, ready)
  succeeded(await send(3))
  expect((await researcher.exported(experimentId)).map(({ data }) => data.value)).toEqual([1, 3])
  expect(readdirSync(server.dataDir)).not.toContain('atrium.db.space')
  await world.stop()
})

test('a pod whose database has no space or accepts no changes is not ready, says why, and recovers', async () => {
  const world = await startWorld('cluster', { servers: 1 })
  const api = createApi(world.any().http)
  const { databaseUrl = '' } = world
  await untilReadyIs(api, ready)
  await queryPostgres(
    databaseUrl,
    `create function no_space() returns trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger no_space before insert or update on write_checks execute function no_space()`,
  )
  await untilReadyIs(api, full)
  expect((await api.call(operationsRoutes.live)).status).toBe(200)
  await queryPostgres(databaseUrl, 'drop trigger no_space on write_checks')
  await untilReadyIs(api, ready)
  const { token } = await createResearcher(api)
  const create = () => api.call(experimentRoutes.create, { token, body: smallestDefinition() })
  const name = new URL(databaseUrl).pathname.slice(1)
  // New connections accept no changes, as on a replica; those that exist are cut.
  await queryPostgres(
    databaseUrl,
    `alter database ${name} set default_transaction_read_only = on;
    select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
  )
  await untilReadyIs(api, readOnly)
  expect(await create()).toMatchObject(readOnly)
  await queryPostgres(
    databaseUrl,
    `set transaction read write; alter database ${name} reset default_transaction_read_only`,
  )
  await untilReadyIs(api, ready)
  succeeded(await create())
  await world.stop()
})
