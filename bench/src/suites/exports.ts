import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { experimentRoutes } from '@atrium/contract'
import type { Server } from '@atrium/testkit'
import { type EngineName, startEngine } from '../harness/engines.ts'
import { cpuMicrosOf, cpuMicrosOfDatabases, cpuMicrosOfEndedChildren } from '../harness/measure.ts'
import type { BenchOptions } from '../options.ts'
import { type LargeStudy, startLargeStudy } from '../targets/large-study.ts'

/** What a researcher downloads. */
const files = [
  { table: 'events', format: 'csv' },
  { table: 'events', format: 'jsonl' },
  { table: 'events', format: 'parquet' },
  { table: 'participants', format: 'csv' },
  { table: 'participants', format: 'parquet' },
] as const

interface ExportFigure {
  name: string
  seconds: number
  /** Of the program and the database, in seconds. */
  cpuSeconds: number
  mebibytes: number
}

export interface ExportsResult {
  engine: EngineName
  events: number
  /** The database's own program first. */
  figures: ExportFigure[]
  /** Of the server, in MiB, before the first export and at the most while they ran. */
  memory: Memory
  /** The same of a server whose heap is limited, for each file once more. */
  limitedMemory: Memory
}

interface Memory {
  before: number
  peak: number
}

/** V8 lets garbage lie for as long as the machine has memory; what exports need is seen where it may not. */
export const heapLimits = '--max-old-space-size=192 --max-semi-space-size=8'

/**
 * Exports of a large study over HTTP, and the same rows by the database's own program, one after the other. Each takes
 * its best round: whatever else the machine did made the others slower.
 */
export async function benchExports(
  engineName: EngineName,
  { events, rounds }: BenchOptions,
): Promise<ExportsResult> {
  const engine = await startEngine(engineName, { syncsToDisk: false })
  let study: LargeStudy | undefined
  try {
    study = await startLargeStudy(engine, events)
    const { server } = study
    const memory = memoryOf(server.pid)
    const targets = [ownProgram(study), ...files.map((file) => overHttp(study as LargeStudy, file))]
    const best: ExportFigure[] = []
    for (let round = 0; round < rounds; round++)
      for (const [index, { name, download }] of targets.entries()) {
        const cpuMicros = () =>
          cpuMicrosOf(server.pid) + cpuMicrosOfDatabases() + cpuMicrosOfEndedChildren(process.pid)
        const [startedAt, before] = [performance.now(), cpuMicros()]
        const bytes = await download()
        const seconds = (performance.now() - startedAt) / 1_000
        const cpuSeconds = (cpuMicros() - before) / 1e6
        if (seconds < (best[index]?.seconds ?? Number.POSITIVE_INFINITY))
          best[index] = { name, seconds, cpuSeconds, mebibytes: bytes / 2 ** 20 }
      }
    const used = memory.end()
    await server.restart({ NODE_OPTIONS: heapLimits })
    const limitedMemory = memoryOf(server.pid)
    for (const file of files) await overHttp(study, file).download()
    return { engine: engineName, events, figures: best, memory: used, limitedMemory: limitedMemory.end() }
  } finally {
    await study?.server.stop()
    await engine.stop()
  }
}

function overHttp({ server, experimentId, token }: LargeStudy, file: (typeof files)[number]) {
  const path = experimentRoutes.export.path.replace(':experimentId', experimentId)
  return {
    name: `Atrium, ${file.table}, ${file.format}`,
    async download(): Promise<number> {
      const response = await fetch(`${server.http}${path}?${new URLSearchParams(file)}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (!response.ok || !response.body) throw new Error(`the export answered ${response.status}`)
      let bytes = 0
      for await (const chunk of response.body) bytes += chunk.length
      return bytes
    },
  }
}

/** The columns that both have, in the same order: what anybody with access to the database would run instead. */
const rows = `select p.participant_id, s.pseudonym, e.seq, e.type, e.timestamp, e.received_at, e.state_id, e.component_id,
    e.event_id, e.data, e.flags, e.extra, e.room_seq, e.round, e.visit, p.revision, p.role
  from participants p join sessions s on s.participant_id = p.participant_id
  join event_streams t on t.session_id = s.session_id join events e on e.stream_no = t.stream_no
  order by p.joined_at, p.participant_id, t.stream_no, e.seq`

function ownProgram({ server }: LargeStudy) {
  const url = server.env.DATABASE_URL
  return url === undefined
    ? { name: 'sqlite3 .mode csv', download: () => outputOf('sqlite3', sqliteArgs(server)) }
    : {
        name: 'psql COPY',
        download: () => outputOf('psql', [url, '-c', `copy (${rows}) to stdout csv header`]),
      }
}

const sqliteArgs = ({ dataDir }: Server) => ['-readonly', '-csv', '-header', join(dataDir, 'atrium.db'), rows]

async function outputOf(program: string, args: string[]): Promise<number> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  let bytes = 0
  for await (const chunk of child.stdout) bytes += chunk.length
  const [code] = await ended
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
  return bytes
}

/** The kernel keeps the most that a process ever had; 5 makes it begin again. */
function memoryOf(pid: number) {
  const read = (name: string): number => {
    const [, kibibytes] =
      new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kibibytes) / 1024
  }
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = read('VmRSS')
  return { end: () => ({ before, peak: read('VmHWM') }) }
}
