import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '@atrium/bundler'
import { databaseFile, firstDatabaseVariable } from './first-database.ts'
import { programsVariable } from './runnable.ts'
import { startServer } from './server.ts'

/**
 * Starts a server once and keeps its database, with all migrations and the examples: a copy of it spares each server of
 * the run 0.6 s of CPU. It is beside the bundles, whose folder is another one when a program has changed.
 */
export async function keepFirstDatabase(): Promise<void> {
  const programs = process.env[programsVariable]
  if (programs === undefined) return
  const database = join(programs, `first-${hashOfExamples()}.db`)
  delete process.env[firstDatabaseVariable]
  if (!existsSync(database)) {
    const dataDir = `${database}-${process.pid}`
    const server = await startServer({ dataDir })
    await server.stop()
    renameSync(join(dataDir, databaseFile), database)
    rmSync(dataDir, { recursive: true })
  }
  process.env[firstDatabaseVariable] = database
}

function hashOfExamples(): string {
  const hash = createHash('sha256')
  for (const file of globSync('examples/*.json', { cwd: root }).toSorted())
    hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
