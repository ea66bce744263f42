import { monitorEventLoopDelay } from 'node:perf_hooks'
import packageJson from '../../package.json' with { type: 'json' }
import type { Metrics } from './metrics.ts'

export const { version } = packageJson

export interface FigureDeps {
  podId: string
  metrics: Pick<Metrics, 'totals'>
  events: RecordFigures
  rooms: RecordFigures
  sessions: { cache: { size: number }; userAgentMismatches(): number }
  operations: { places(): Promise<object | null> }
}

interface RecordFigures {
  figures(): { recorded: number; commits: number }
}

/** The body of `/api/health/metrics`: what one instance knows about itself. */
export function createFigures({ podId, metrics, events, rooms, sessions, operations }: FigureDeps) {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  const asMs = (nanoseconds: number): number => Math.round(nanoseconds / 10_000) / 100
  return async (): Promise<object> => {
    const { rss, heapUsed } = process.memoryUsage()
    const { requests, serverErrors } = metrics.totals()
    return {
      podId,
      version,
      places: await operations.places(),
      uptimeSeconds: Math.round(process.uptime()),
      memory: { rssBytes: rss, heapUsedBytes: heapUsed },
      eventLoopDelayMs: { p50: asMs(delay.percentile(50)), p99: asMs(delay.percentile(99)) },
      requests: { total: requests, serverErrors },
      events: bothOf(events.figures(), rooms.figures()),
      sessions: { cached: sessions.cache.size, userAgentMismatches: sessions.userAgentMismatches() },
    }
  }
}

type Figures = ReturnType<RecordFigures['figures']>

const bothOf = (sent: Figures, ofRooms: Figures): Figures => ({
  recorded: sent.recorded + ofRooms.recorded,
  commits: sent.commits + ofRooms.commits,
})
