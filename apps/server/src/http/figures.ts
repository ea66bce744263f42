import { monitorEventLoopDelay } from 'node:perf_hooks'
import packageJson from '../../package.json' with { type: 'json' }
import type { Metrics } from './metrics.ts'

export const { version } = packageJson

export interface FigureDeps {
  podId: string
  metrics: Pick<Metrics, 'totals'>
  events: { figures(): object }
  sessions: { cache: { size: number }; userAgentMismatches(): number }
  operations: { places(): Promise<object | null> }
}

/** The body of `/api/health/metrics`: what one instance knows about itself. */
export function createFigures({ podId, metrics, events, sessions, operations }: FigureDeps) {
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
