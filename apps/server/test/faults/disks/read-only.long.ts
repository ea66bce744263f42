import { startPostgres, startWorld } from '@atrium/testkit'
import { onTestFinished, test } from 'vitest'
import { queryPostgres } from '../../stores/engines.ts'
import { surviveTrouble } from './trouble.ts'

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
