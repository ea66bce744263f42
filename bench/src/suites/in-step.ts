import {
  pace,
  type Server,
  startCluster,
  startVideoAudience,
  type VideoAudience,
  waitUntil,
} from '@atrium/testkit'
import { percentile } from '../harness/measure.ts'
import { type Finding, findingLine } from '../report/finding.ts'
import type { Section } from '../report/section.ts'
import { table } from '../report/table.ts'
import { slowLines } from './clock.ts'

export interface InStepResult {
  showings: { what: string; lines: LineResult[] }[]
  /** How long those who were disturbed took to be in step again; undefined if the video was over before. */
  returns: { who: string; ms: number | undefined }[]
}

interface LineResult {
  name: string
  frames: number
  p50: number
  p95: number
  p99: number
}

const lines = [{ name: 'loopback', delayMs: 0, jitterMs: 0 }, ...slowLines]
const nameOf = (line: number): string => lines[line]?.name ?? ''
/** Two people who watch the same video do not notice less than this. */
const inStepMs = 40
/** Frames count as in step once they have been for this long. */
const steadyMs = 1_000
const showings = { calm: 0, disturbed: 1, killed: 2 }
/** The video needs 11 kB/s. */
const scarceBytesPerSecond = 16_000
const heldMs = 6_000
const beforeMs = 3_000

/** Four real browser pages watch one video over lines of different delay: how far is each frame from the room's time? */
export async function benchInStep(): Promise<InStepResult> {
  const cluster = await startCluster({ pods: 2, router: true, web: true })
  try {
    const audience = await startVideoAudience(cluster.router?.http ?? '', lines, Object.keys(showings).length)
    try {
      return await watch(audience, cluster.servers)
    } finally {
      await audience.stop()
    }
  } finally {
    await cluster.stop()
  }
}

async function watch(audience: VideoAudience, pods: readonly Server[]): Promise<InStepResult> {
  const [, slow, reloading] = audience.viewers
  const [, slowLine] = audience.lines
  if (!slow || !reloading || !slowLine) throw new Error('too few viewers')
  await audience.untilShown(showings.calm)
  // The next showing will load slowly on this line, so that there is little in store when it is interrupted.
  slowLine.limit(scarceBytesPerSecond)
  await untilOver(audience, showings.calm)
  const calm = await measured(audience, showings.calm)

  await audience.untilShown(showings.disturbed)
  await pace(beforeMs)
  slowLine.hold()
  const disturbedAtMs = Date.now()
  await reloading.page.reload()
  await untilSeen(audience, reloading, showings.disturbed)
  await pace(Math.max(0, disturbedAtMs + heldMs - Date.now()))
  slowLine.limit()
  slowLine.release()
  const releasedAtMs = Date.now()
  await untilOver(audience, showings.disturbed)
  const disturbed = await measured(audience, showings.disturbed)
  const returns = [
    {
      who: `${nameOf(1)}: after ${heldMs / 1_000} s in which nothing arrived`,
      ms: returnMs(await audience.drifts(slow, showings.disturbed), releasedAtMs),
    },
    {
      who: `${nameOf(2)}: page reloaded`,
      ms: returnMs(await audience.drifts(reloading, showings.disturbed), disturbedAtMs),
    },
  ]

  await audience.untilShown(showings.killed)
  await pace(beforeMs)
  const owner = await audience.pod()
  const killedAtMs = Date.now()
  await pods.find(({ env }) => env.POD_NAME === owner)?.kill()
  await untilOver(audience, showings.killed)
  for (const [line, viewer] of audience.viewers.entries())
    returns.push({
      who: `${nameOf(line)}: pod killed`,
      ms: returnMs(await audience.drifts(viewer, showings.killed), killedAtMs),
    })
  return {
    showings: [
      { what: 'undisturbed', lines: calm },
      { what: 'one line interrupted, one page reloaded', lines: disturbed },
      { what: 'pod of the room killed', lines: await measured(audience, showings.killed) },
    ],
    returns,
  }
}

/** A page that has been loaded again has seen no click yet, and asks for one. */
const untilSeen = (audience: VideoAudience, viewer: VideoAudience['viewers'][number], showing: number) =>
  waitUntil(
    async () => {
      await viewer.clickIfAsked()
      return (await audience.drifts(viewer, showing)).length > 0 || audience.isOver(showing) || 'no frame yet'
    },
    { everyMs: 100 },
  )

const untilOver = (audience: VideoAudience, showing: number): Promise<void> =>
  waitUntil(() => audience.isOver(showing) || 'the film is still running', {
    timeoutMs: 180_000,
    everyMs: 250,
  })

async function measured(audience: VideoAudience, showing: number): Promise<LineResult[]> {
  const results: LineResult[] = []
  for (const [line, viewer] of audience.viewers.entries()) {
    const drifts = (await audience.drifts(viewer, showing)).map(({ driftMs }) => Math.abs(driftMs))
    const sorted = new Float64Array(drifts).sort()
    const [p50 = Number.NaN, p95 = Number.NaN, p99 = Number.NaN] = [0.5, 0.95, 0.99].map((share) =>
      percentile(sorted, share),
    )
    results.push({ name: nameOf(line), frames: sorted.length, p50, p95, p99 })
  }
  return results
}

type Drifts = Awaited<ReturnType<VideoAudience['drifts']>>

/** Until the first frame from which on all were in step for a while. */
export function returnMs(drifts: Drifts, sinceMs: number): number | undefined {
  const after = drifts.filter(({ atMs }) => atMs > sinceMs)
  const first = after.find(
    ({ atMs: fromMs }) =>
      (after.at(-1)?.atMs ?? 0) >= fromMs + steadyMs &&
      after.every(
        ({ atMs, driftMs }) => atMs < fromMs || atMs > fromMs + steadyMs || Math.abs(driftMs) <= inStepMs,
      ),
  )
  return first && first.atMs - sinceMs
}

export function renderInStep({ showings, returns }: InStepResult): Section {
  const parts = showings.map(({ what, lines }) => {
    const rows = lines.map(({ name, frames, p50, p95, p99 }) => [
      name,
      ...[p50, p95, p99].map((ms) => ms.toFixed(1)),
      String(frames),
    ])
    return `#### Drift: ${what}\n\n${table(['line, each way', 'p50 ms', 'p95 ms', 'p99 ms', 'frames'], rows)}\n`
  })
  const judged = showings[0]?.lines.filter(({ name }) =>
    slowLines.slice(0, 2).some((line) => line.name === name),
  )
  const worst = Math.max(...(judged ?? []).map(({ p95 }) => p95))
  const judgedLines = slowLines.slice(0, 2).map(({ name }) => name)
  const drift: Finding = {
    what: `In step, undisturbed, worst p95 on ${judgedLines.join(' and ')}`,
    value: worst,
    digits: 1,
    unit: 'ms',
    most: inStepMs,
  }
  const text = `### In step: four browser pages, one film

${parts.join('\n')}
#### Back in step

${table(
  ['what happened', 'in step after s'],
  returns.map(({ who, ms }) => [who, ms === undefined ? 'not before the end' : (ms / 1_000).toFixed(1)]),
)}

${findingLine(drift)}
- Chromium, four participants in one room, two pods behind the router, the film of the examples (25 frames a second, so a
  frame lasts 40 ms). Each page is behind a line of its own, which delays everything by as much as its name says, in each
  direction. Drift is a frame's own time minus where the room is when the frame is displayed
  (\`requestVideoFrameCallback\`), by the server's clock; every frame counts while the room plays, the first ones too.
- In step again: from the first frame after the disturbance on which one second of frames within ${inStepMs} ms follows. The
  reload and the take-over are included, the interruption is not. Nobody stops when a pod is killed: pages keep the room's time.
`
  return { text, findings: [drift] }
}
