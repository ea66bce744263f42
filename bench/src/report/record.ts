import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MachineFacts } from '../harness/machine.ts'
import type { BenchName } from '../options.ts'
import type { Finding } from './finding.ts'

/** The last written run of a benchmark. The pages are made of these, so that one can be run again without the others. */
export interface BenchRecord {
  bench: BenchName
  /** What followed `npm run bench --`. */
  args: string
  /** A day, as in 2026-11-17. */
  date: string
  machine: MachineFacts
  /** Share of the machine that other programs used meanwhile. */
  othersShare: number
  findings: Finding[]
  /** The section, line by line. */
  text: string[]
}

const folder = new URL('../../results/', import.meta.url)
const fileOf = (bench: BenchName) => fileURLToPath(new URL(`${bench}.json`, folder))

export function writeRecord(record: BenchRecord): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(record.bench), `${JSON.stringify(record, null, 2)}\n`)
}

export function readRecords(benches: readonly BenchName[]): BenchRecord[] {
  return benches
    .map(fileOf)
    .filter((file) => existsSync(file))
    .map((file): BenchRecord => JSON.parse(readFileSync(file, 'utf8')))
}
