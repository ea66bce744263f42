import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { runFromBundles } from './bundles.ts'
import { keepFirstDatabase } from './keep-first-database.ts'
import { sharedPostgresVariable, startPostgres } from './postgres.ts'

/** Node's compile cache for Vitest's workers: each would otherwise compile all packages again. */
const compiled = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url))

/**
 * Vitest's global set-up: one PostgreSQL for the whole run, and what makes programs start faster. Workers start later and
 * inherit the variables. PostgreSQL is never killed, so nothing tested on it depends on the disk.
 */
export default async function startShared(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ syncsToDisk: false })
  process.env[sharedPostgresVariable] = postgres.url
  process.env.NODE_COMPILE_CACHE ??= compiled
  await preparePrograms()
  project.onTestsRerun(preparePrograms)
  return postgres.stop
}

async function preparePrograms(): Promise<void> {
  await runFromBundles()
  await keepFirstDatabase()
}
