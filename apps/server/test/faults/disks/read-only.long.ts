import { join } from 'node:path'
import { operationsRoutes } from '@atrium/contract'
import { createApi, startPostgres, startServer, startWorld, waitUntil } from '@atrium/testkit'
import { onTestFinished, test } from 'vitest'
import { queryPostgres } from '../../stores/engines.ts'
import { createFailingDisk } from './failing-disk.ts'
import { embeddedWorld, surviveTrouble } from './trouble.ts'

test('[I1,I2] a PostgreSQL that accepts no changes: everyone is told, and it recovers when it does again', async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const databaseUrl = await postgres.createDatabase()
  const world = await startWorld('cluster', { servers: 1, databaseUrl })
  onTestFinished(world.stop)
  // As on a replica, or during a fail-over.
  const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
    await queryPostgres(postgres.url, `alter system set default_transaction_read_only = ${isReadOnly}`)
    await queryPostgres(postgres.url, 'select pg_reload_conf()')
  }
  await surviveTrouble(world, {
    begin: () => setReadOnly(true),
    end: () => setReadOnly(false),
    reason: 'read_only',
  })
}, 600_000)

test('[I1,I2] SQLite on a disk that the system makes read-only: everyone is told, nothing acknowledged is lost', async () => {
  const disk = createFailingDisk(64)
  onTestFinished(disk.remove)
  const server = await startServer({ dataDir: join(disk.path, 'data') })
  onTestFinished(async () => void (await server.stop()))
  const api = createApi(() => server.http)
  await surviveTrouble(embeddedWorld(server), {
    async begin() {
      disk.fail()
      await waitUntil(async () => {
        const { text } = await api.call(operationsRoutes.ready)
        return text.includes('"reason":"read_only"') || text
      })
    },
    // Linux lets nobody write there until it has been mounted anew, which needs the server to close its files.
    async end() {
      await server.end()
      disk.mend()
      await server.restart()
    },
    // SQLite says only that writing failed.
    reason: undefined,
  })
}, 600_000)
