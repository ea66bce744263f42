import { execFileSync } from 'node:child_process'
import { closeSync, existsSync, fdatasyncSync, openSync, readdirSync, writeSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { createTemporaryFolder } from '@atrium/testkit'
import { percentile } from './measure.ts'

export interface MachineFacts {
  cores: number
  processor: string
  memoryGib: number
  node: string
  postgres: string
  redis: string
  /** Median time to write 4 KiB and sync it to disk. */
  syncMs: number
}

export function machineFacts(): MachineFacts {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model ?? 'unknown',
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    postgres: versionOf([...debianPostgres(), 'postgres']),
    redis: versionOf(['redis-server']),
    syncMs: measureSync(),
  }
}

/** Debian keeps PostgreSQL's server programs off the PATH. */
function debianPostgres(): string[] {
  const folder = '/usr/lib/postgresql'
  if (!existsSync(folder)) return []
  const versions = readdirSync(folder).toSorted((a, b) => Number(b) - Number(a))
  return versions.map((version) => `${folder}/${version}/bin/postgres`)
}

function versionOf(programs: string[]): string {
  for (const program of programs) {
    try {
      const output = execFileSync(program, ['--version'], { encoding: 'utf8' })
      return /\d+(\.\d+)+/.exec(output)?.[0] ?? output.trim()
    } catch {
      // Not installed here; try the next.
    }
  }
  return 'not installed'
}

/** What one commit waits for. Decides how much sharing commits can gain. */
function measureSync(): number {
  const folder = createTemporaryFolder('sync')
  const file = openSync(join(folder.path, 'probe'), 'w')
  const page = Buffer.alloc(4_096, 1)
  const times = Float64Array.from({ length: 100 }, () => {
    const startedAt = performance.now()
    writeSync(file, page)
    fdatasyncSync(file)
    return performance.now() - startedAt
  })
  closeSync(file)
  folder.remove()
  return percentile(times.sort(), 0.5)
}
