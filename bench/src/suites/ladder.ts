import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type QualityLevel, qualityLevels } from '@atrium/contract'
import { createTemporaryFolder, makeTinyVideo } from '@atrium/testkit'
import { createDiskSpace, freeBytes } from '../../../apps/server/src/adapters/ffmpeg/disk-space.ts'
import { encodeLadder } from '../../../apps/server/src/adapters/ffmpeg/ladder/encode.ts'
import { runProgram } from '../../../apps/server/src/adapters/ffmpeg/programs/run-program.ts'
import { findProgram, type Tools } from '../../../apps/server/src/adapters/ffmpeg/programs/tools.ts'
import { inspectSource } from '../../../apps/server/src/adapters/ffmpeg/source/inspect.ts'
import { cpuMicrosOf, meanOf } from '../harness/measure.ts'
import type { BenchOptions } from '../options.ts'
import { type Finding, findingLines } from '../report/finding.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'

const maxToSingles = 0.8

export interface LadderResult {
  filmSeconds: number
  rounds: number
  cpuSeconds: { ladder: number; singles: number; top: number }
}

/** CPU of one process for all levels, of one process per level, and of the top level alone, which nothing can go below. */
export async function benchLadder({ seconds, rounds }: BenchOptions): Promise<LadderResult> {
  const temporary = createTemporaryFolder('ladder')
  try {
    const tools = { ffmpeg: await unconfined('ffmpeg'), ffprobe: await unconfined('ffprobe') }
    const size = { width: 1920, height: 1080, seconds, rate: '30000/1001', isLifelike: true }
    const probed = await makeTinyVideo(temporary.path, 'film', size)
    const samples = { ladder: [] as number[], singles: [] as number[], top: [] as number[] }
    // They take turns, so that other load on the machine affects all of them alike.
    for (let round = 0; round < rounds; round++) {
      const folder = join(temporary.path, `round-${round}`)
      await mkdir(folder)
      await rename(
        round === 0 ? probed : join(temporary.path, `round-${round - 1}`, 'source'),
        join(folder, 'source'),
      )
      samples.ladder.push(await cpuSecondsOf(tools, folder, qualityLevels))
      const each = []
      for (const level of qualityLevels) each.push(await cpuSecondsOf(tools, folder, [level]))
      samples.singles.push(each.reduce((total, one) => total + one, 0))
      samples.top.push(each.at(-1) ?? Number.NaN)
    }
    const cpuSeconds = {
      ladder: meanOf(samples.ladder),
      singles: meanOf(samples.singles),
      top: meanOf(samples.top),
    }
    return { filmSeconds: seconds, rounds, cpuSeconds }
  } finally {
    temporary.remove()
  }
}

/** bubblewrap does not wait for its child, so that the child's time would not be counted as ours. */
async function unconfined(name: string): Promise<Tools['ffmpeg']> {
  const searchPath = process.env.PATH ?? ''
  const path = await findProgram(name, searchPath)
  if (path === undefined) throw new Error(`${name} is not installed`)
  return (args, options) => runProgram([path, ...args], { PATH: searchPath }, options)
}

async function cpuSecondsOf(tools: Tools, folder: string, levels: readonly QualityLevel[]): Promise<number> {
  // What an earlier run has left would count as output of this one, which is refused if it is too large.
  for (const name of await readdir(folder)) if (name !== 'source') await rm(join(folder, name))
  const { signal } = new AbortController()
  const touch = () => undefined
  const probed = await inspectSource(tools, { folder, size: 2 ** 30, isWhole: true }, { signal, touch })
  const space = createDiskSpace(freeBytes).forJob(folder)
  const before = cpuMicrosOf(process.pid)
  await encodeLadder({ tools, folder, signal, space, touch }, probed, levels, {
    settings: { preset: 'veryfast', threads: 2 },
    onProgress: () => undefined,
    warn: (facts, message) => console.error(message, facts),
  })
  return (cpuMicrosOf(process.pid) - before) / 1e6
}

export function renderLadder({ filmSeconds, rounds, cpuSeconds }: LadderResult): Section {
  const rows = [
    ['Atrium: one process, four levels', cpuSeconds.ladder],
    ['four processes, one level each', cpuSeconds.singles],
    ['floor: 1080p alone', cpuSeconds.top],
  ] as const
  const findings: Finding[] = [
    {
      what: 'CPU, one process ÷ four',
      value: cpuSeconds.ladder / cpuSeconds.singles,
      most: maxToSingles,
    },
    { what: 'CPU, four levels ÷ 1080p alone', value: cpuSeconds.ladder / cpuSeconds.top },
    {
      what: 'CPU per second of film',
      value: cpuSeconds.ladder / filmSeconds,
      unit: 's',
    },
  ]
  const text = `## Transcoding: a ladder from 1080p

${table(
  ['ffmpeg, preset veryfast', 'CPU s', 'CPU s per second of film'],
  rows.map(([name, cpu]) => [name, cpu.toFixed(1), (cpu / filmSeconds).toFixed(2)]),
)}

${findingLines(findings)}
- ${rounds} rounds with ${filmSeconds} s of a moving, grainy picture at 29.97 frames a second and 8 Mbit/s, with sound. Without the sandbox, which costs
  a few milliseconds for each process.
`
  return { text, findings }
}
