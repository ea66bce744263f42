import { fileURLToPath } from 'node:url'
import { bundlePackages, bundlesVariable } from './bundled-packages.ts'
import { sharedPostgresVariable, startPostgres } from './postgres.ts'

/** Node's compile cache. A run starts hundreds of programs, and each would otherwise compile everything again. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url))

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, and what makes programs start faster. Workers start later and
 * inherit the variables. PostgreSQL is never killed, so nothing tested on it depends on the disk.
 */
export default async function startShared(): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ syncsToDisk: false })
  process.env[sharedPostgresVariable] = postgres.url
  process.env.NODE_COMPILE_CACHE ??= compiled
  process.env[bundlesVariable] = await bundlePackages()
  return postgres.stop
}
