import { hostname } from 'node:os'
import { openPostgres } from '../adapters/postgres/open-postgres.ts'
import { openSqlite } from '../adapters/sqlite/open-sqlite.ts'
import { readConfig } from '../config.ts'

/** Brings the database to the newest shape and ends: for deployments that migrate before they roll out. */
const { databaseUrl, dataDir } = readConfig(process.env, hostname())
const database = databaseUrl ? await openPostgres(databaseUrl, () => undefined) : await openSqlite(dataDir)
await database.close()
process.stdout.write('The database is up to date.\n')
