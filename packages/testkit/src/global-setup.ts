import { startPostgres } from './postgres.ts'
import { sharedPostgresVariable } from './shared-postgres.ts'

/** Vitest's global set-up: one PostgreSQL for the whole run. Workers are started later and inherit the variable. */
export default async function startSharedPostgres(): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  process.env[sharedPostgresVariable] = postgres.url
  return postgres.stop
}
