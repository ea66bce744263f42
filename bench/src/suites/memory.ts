import { limits, participantRoutes } from '@atrium/contract'
import { startEngine } from '../harness/engines.ts'
import { meanOf, slopeOf } from '../harness/measure.ts'
import { startLoad } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { startAtrium } from '../targets/atrium.ts'
import { eventBatch } from './event-batch.ts'

export interface MemorySample {
  requests: number
  rssBytes: number
  heapUsedBytes: number
}

export interface MemoryResult {
  samples: MemorySample[]
  /** In use after a collection of garbage: early on, and in the end. */
  inUse: [MemorySample, MemorySample]
  rss: Growth
}

/** Over the second half of the run: at first V8 takes more room, step by step. */
export interface Growth {
  bytesPerRequest: number
  /** What that half added, of what there was. */
  share: number
  isFlat: boolean
}

const samplesPerRun = 20
export const mostGrowth = 0.05

/** Does memory stay where it is, however many requests come? On the embedded engine, with small batches. */
export async function benchMemory(options: BenchOptions): Promise<MemoryResult> {
  const engine = await startEngine('sqlite')
  const load = await startLoad()
  const atrium = await startAtrium(engine, load, { ...options, isInspected: true })
  try {
    const perStep = Math.ceil(options.memoryRequests / samplesPerRun)
    // As if the whole run fell into one window of the rate limit.
    const lanes = await atrium.sessions(
      Math.ceil((perStep * samplesPerRun) / limits.requestsPerWindow.events),
    )
    const samples: MemorySample[] = []
    const cleaned: MemorySample[] = []
    for (let step = 1; step <= samplesPerRun; step++) {
      await load.measure(
        {
          address: atrium.address,
          method: 'POST',
          path: participantRoutes.eventsV4.path,
          clients: options.clients,
          longestMs: Number.POSITIVE_INFINITY,
          mostRequests: perStep,
          firstLane: (step - 1) * perStep,
          lanes,
          body: eventBatch(2),
          collect: false,
        },
        atrium,
      )
      const requests = step * perStep
      samples.push({ requests, ...(await atrium.memory()) })
      // Only at the edges: what is measured is a server that cleans up when it thinks fit.
      if (step === 1 || step === samplesPerRun) cleaned.push({ requests, ...(await atrium.cleanMemory()) })
    }
    return {
      samples,
      inUse: cleaned as MemoryResult['inUse'],
      rss: growthOf(
        samples.map(({ rssBytes }) => rssBytes),
        perStep,
      ),
    }
  } finally {
    await atrium.stop()
    await load.stop()
    await engine.stop()
  }
}

export function growthOf(bytes: number[], requestsPerSample: number): Growth {
  const secondHalf = bytes.slice(Math.floor(bytes.length / 2))
  const slope = slopeOf(secondHalf)
  const share = (slope * secondHalf.length) / meanOf(secondHalf)
  return { bytesPerRequest: slope / requestsPerSample, share, isFlat: share <= mostGrowth }
}
