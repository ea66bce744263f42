import { join, relative } from 'node:path'
import { root } from '@atrium/bundler'

/** The variable that names the folder of the bundled programs; outside a test run, programs run from their sources. */
export const programsVariable = 'ATRIUM_TEST_PROGRAMS'

/** Programs and the files of their worker threads, from the root of the repository. */
export const programs = [
  'apps/server/src/entry/serve.ts',
  'apps/server/src/entry/web.ts',
  'apps/server/src/entry/work.ts',
  'apps/server/src/entry/backup.ts',
  'apps/server/src/entry/restore.ts',
  'apps/server/src/entry/move.ts',
  'apps/server/src/entry/migrate.ts',
  'apps/server/src/adapters/sqlite/worker.ts',
  'apps/server/src/adapters/worker-thread/beside.ts',
  'apps/server/test/faults/slow-worker.ts',
  'apps/router/src/entry/route.ts',
  'packages/object-store/src/entry/store.ts',
  'scripts/dry-run.ts',
  'scripts/export.ts',
  'scripts/migrate-definition.ts',
  'scripts/simulate.ts',
  'scripts/upload.ts',
]

export const fileOf = (name: string) => `${name.replaceAll('/', '__').replace(/\.ts$/, '')}.mjs`

/** The bundle of one of our programs in a test run, otherwise the program itself. */
export function runnableOf(path: string): string {
  const folder = process.env[programsVariable]
  const program = relative(root, path)
  return folder !== undefined && programs.includes(program) ? join(folder, fileOf(program)) : path
}
