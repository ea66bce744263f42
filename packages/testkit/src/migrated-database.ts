import { basename, join } from 'node:path'
import { root } from '@atrium/bundler'
import pg from 'pg'
import { createDatabase, requireSharedPostgres } from './postgres.ts'
import { startProgram } from './program.ts'
import { programsVariable, runnableOf } from './runnable.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

const migrate = join(root, 'apps/server/src/entry/migrate.ts')
/** Any number that only we use. */
const templateLock = 35_071

/**
 * The address of a fresh database with all migrations, on the run's shared PostgreSQL. A copy of one that was migrated
 * once: migrating takes 0.4 s of CPU, and most tests of a cluster or a store need a database of their own.
 */
export async function createMigratedDatabase(): Promise<string> {
  const url = requireSharedPostgres()
  // While Vitest watches, other programs may have other migrations.
  const template = `atrium_template_${basename(process.env[programsVariable] ?? 'sources')}`
  await makeTemplate(url, template)
  return await createDatabase(url, template)
}

/** Unless it is there. One worker at a time. */
async function makeTemplate(url: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    await client.query('select pg_advisory_lock($1)', [templateLock])
    const { rowCount } = await client.query(
      'select 1 from pg_database where datname = $1 and datistemplate',
      [template],
    )
    if (rowCount !== 0) return
    await client.query(`drop database if exists ${template}`) // What a worker that crashed has left.
    await migrateAll(await createDatabase(url, 'template0', template))
    await client.query(`alter database ${template} is_template true`)
  } finally {
    await client.end() // Releases the lock.
  }
}

async function migrateAll(url: string): Promise<void> {
  const folder = createTemporaryFolder('migrate')
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url, DATA_DIR: folder.path }
  const program = startProgram(process.execPath, { args: [runnableOf(migrate)], cwd: folder.path, env })
  const exitCode = await program.exited
  folder.remove()
  if (exitCode !== 0) throw new Error(`the database could not be migrated: ${program.stderr()}`)
}
