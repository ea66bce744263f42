import { limits, participantRoutes } from '@atrium/contract'
import { startEngine } from '../harness/engines.ts'
import { meanOf, slopeOf } from '../harness/measure.ts'
import { startLoad } from '../load/http-load.ts'
import type { BenchOptions } from '../options.ts'
import { startAtrium } from '../targets/atrium.ts'
import { eventBatch } from './events.ts'

export interface MemorySample {
  requests: number
  rssBytes: number
  heapUsedBytes: number
}

export interface MemoryResult {
  samples: MemorySample[]
  /** In use after a garbage collection, early on and at the end. */
  inUse: [MemorySample, MemorySample]
  rss: Growth
}

/** Over the second half of the run, because at first V8 grows its heap step by step. */
export interface Growth {
  bytesPerRequest: number
  /** Growth relative to the mean. */
  share: number
  isFlat: boolean
}

const samplesPerRun = 20
export const maxGrowth = 0.05

/** Whether memory stays flat over many requests, on the embedded engine with small batches. */
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
          maxMs: Number.POSITIVE_INFINITY,
          maxRequests: perStep,
          firstLane: (step - 1) * perStep,
          lanes,
          body: eventBatch(2),
          collect: false,
        },
        atrium,
      )
      const requests = step * perStep
      samples.push({ requests, ...(await atrium.memory()) })
      // Only at the beginning and the end: otherwise V8 should collect garbage when it sees fit.
      if (step === 1 || step === samplesPerRun) cleaned.push({ requests, ...(await atrium.memoryInUse()) })
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
  return { bytesPerRequest: slope / requestsPerSample, share, isFlat: share <= maxGrowth }
}
