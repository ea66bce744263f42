import { fileURLToPath } from 'node:url'
import { startPostgres } from './postgres.ts'
import { sharedPostgresVariable } from './shared-postgres.ts'

/** What Node has compiled, for the hundreds of programs that a run starts: without it, each strips and compiles all again. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url))

/** Vitest's global set-up: one PostgreSQL for the whole run. Workers are started later and inherit the variable. It is
 * never killed: nothing that is tested on it depends on the disk. */
export default async function startSharedPostgres(): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ waitsForDisk: false })
  process.env[sharedPostgresVariable] = postgres.url
  process.env.NODE_COMPILE_CACHE ??= compiled
  return postgres.stop
}
