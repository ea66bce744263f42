import { startPostgres } from './postgres.ts'
import { sharedPostgresVariable } from './shared-postgres.ts'

/** Vitest's global set-up: one PostgreSQL for the whole run. Workers are started later and inherit the variable. It is
 * never killed: nothing that is tested on it depends on the disk. */
export default async function startSharedPostgres(): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ waitsForDisk: false })
  process.env[sharedPostgresVariable] = postgres.url
  return postgres.stop
}
