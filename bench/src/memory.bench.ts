import { limits, participantRoutes } from '@atrium/contract'
import { startEngine } from './engines.ts'
import { eventBatch } from './event-batch.ts'
import { startLoad } from './load.ts'
import { meanOf, slopeOf } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { startAtrium } from './targets/atrium.ts'

export interface MemorySample {
  requests: number
  rssBytes: number
  heapUsedBytes: number
}

export interface MemoryResult {
  samples: MemorySample[]
  rss: Growth
  heapUsed: Growth
}

export interface Growth {
  /** Over the second half of the run. */
  bytesPerRequest: number
  /** The mean of the last quarter over the mean of the second one. */
  lastToSecondQuarter: number
  isFlat: boolean
}

const samplesPerRun = 20
const flatBelow = 1.1

/** Does memory stay where it is, however many requests come? On the embedded engine, with small batches. */
export async function benchMemory(options: BenchOptions): Promise<MemoryResult> {
  const engine = await startEngine('sqlite')
  const load = await startLoad()
  const atrium = await startAtrium(engine, load, options)
  try {
    const perStep = Math.ceil(options.memoryRequests / samplesPerRun)
    // As if the whole run fell into one window of the rate limit.
    const lanes = await atrium.sessions(
      Math.ceil((perStep * samplesPerRun) / limits.requestsPerWindow.events),
    )
    const samples: MemorySample[] = []
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
      samples.push({ requests: step * perStep, ...(await atrium.memory()) })
    }
    return {
      samples,
      rss: growthOf(
        samples.map(({ rssBytes }) => rssBytes),
        perStep,
      ),
      heapUsed: growthOf(
        samples.map(({ heapUsedBytes }) => heapUsedBytes),
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
  const quarter = Math.floor(bytes.length / 4)
  const second = meanOf(bytes.slice(quarter, 2 * quarter))
  const last = meanOf(bytes.slice(-quarter))
  const lastToSecondQuarter = last / second
  return {
    bytesPerRequest: slopeOf(bytes.slice(Math.floor(bytes.length / 2))) / requestsPerSample,
    lastToSecondQuarter,
    isFlat: lastToSecondQuarter <= flatBelow,
  }
}
