import { hostname } from 'node:os'
import { usingKey } from '@atrium/program'
import { openPostgres } from '../adapters/postgres/open-postgres.ts'
import { openSqlite } from '../adapters/sqlite/open-sqlite.ts'
import { readConfig } from '../config/config.ts'

/** Runs the migrations and exits, for deployments that migrate before they roll out. */
async function migrate(): Promise<void> {
  const { databaseUrl, dataDir } = readConfig(process.env, hostname())
  const database = databaseUrl
    ? await usingKey('DATABASE_URL', () => openPostgres(databaseUrl, () => undefined))
    : await usingKey('DATA_DIR', () => openSqlite(dataDir))
  await database.close()
  process.stdout.write('The database is up to date.\n')
}

migrate().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
})
