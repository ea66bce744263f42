import { setTimeout as delay } from 'node:timers/promises'
import { percentile } from '../../harness/measure.ts'
import { peoplePerRoom } from '../../load/room-load.ts'
import type { BenchOptions } from '../../options.ts'
import type { ScaleOutResult } from './model.ts'
import { type Stage, startStage, type Turn } from './stage.ts'

const defaultSizes = [1, 2, 4]

/**
 * Bots play the same game through a router on one, two and four pods, with the same number on each pod, and once all of
 * them on one pod. The clusters run side by side and take turns, so that other load affects all of them alike.
 */
export async function benchScaleOut(options: BenchOptions, sizes = defaultSizes): Promise<ScaleOutResult> {
  const { rounds, profileFolder } = options
  const maxPods = Math.max(...sizes)
  // Participants left over when all rooms are full would wait forever.
  const perPod = Math.floor(options.participants / maxPods / peoplePerRoom) * peoplePerRoom
  const clusters = [
    ...sizes.map((pods) => ({ pods, people: pods * perPod })),
    { pods: 1, people: maxPods * perPod },
  ]
  const roundMs = options.seconds * 1000
  const stages: Stage[] = []
  try {
    for (const { pods, people } of clusters) stages.push(await startStage(pods, people, profileFolder))
    await delay(roundMs / 5) // Garbage left by the start is not idle cost.
    const started = await Promise.all(
      stages.map(async (stage) => ({
        stage,
        idle: await stage.idle(roundMs),
        idleRssBytes: stage.podRssBytes(),
        turns: [] as Turn[],
      })),
    )
    for (const { stage } of started) await stage.warmUp(options.seconds)
    for (const { stage } of started) await stage.fill()
    for (let round = 0; round < rounds; round++)
      for (const { stage, turns } of started) turns.push(await stage.takeTurn(roundMs))
    const figures = started.map(({ stage, turns, ...atRest }) => ({
      pods: stage.pods,
      participants: stage.participants,
      ...atRest,
      playingRssBytes: stage.podRssBytes(),
      ...figuresOf(turns),
    }))
    const [crowded] = figures.splice(-1)
    if (!crowded) throw new Error('no cluster was measured')
    return { windowSeconds: options.seconds * rounds, growing: figures, crowded }
  } finally {
    await Promise.all(stages.map((stage) => stage.close()))
  }
}

function figuresOf(turns: readonly Turn[]) {
  const latencies = new Float64Array(turns.flatMap(({ latenciesMs }) => [...latenciesMs])).sort()
  return {
    rounds: turns.map(({ rates }) => rates),
    acknowledged: latencies.length,
    refused: turns.reduce((total, { refused }) => total + refused, 0),
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
  }
}
