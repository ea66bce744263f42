import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Events } from '../modules/events/index.ts'
import type { Operations } from '../modules/operations/index.ts'
import type { Sessions } from '../modules/sessions/index.ts'
import type { Metrics } from './metrics.ts'
import { version } from './version.ts'

export interface FigureParts {
  podId: string
  metrics: Metrics
  events: Events
  sessions: Sessions
  operations: Operations
}

/** The body of `/api/health/metrics`: what one instance knows about itself. */
export function createFigures({ podId, metrics, events, sessions, operations }: FigureParts) {
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
      events: events.figures(),
      sessions: { cached: sessions.cache.size, userAgentMismatches: sessions.userAgentMismatches() },
    }
  }
}
