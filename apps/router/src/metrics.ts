import { metrics } from '@atrium/monitoring'
import { describedMetric } from '@atrium/program'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Lookup = 'cache' | 'redis' | 'missing' | 'error'
export type Target = 'room' | 'backend' | 'web' | 'redirect' | 'none'
/** `open`: became a socket; `refused`: by the backend; `failed`: no backend responded; `aborted`: the client left. */
export type UpgradeOutcome = 'open' | 'refused' | 'failed' | 'aborted'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({ ...describedMetric(metrics.routerRequests), registers })
  const duration = new Histogram({ ...describedMetric(metrics.routerRequestDuration), registers })
  const lookups = new Counter({ ...describedMetric(metrics.routerLookups), registers })
  const upgrades = new Counter({ ...describedMetric(metrics.routerUpgrades), registers })
  const upgradeFailures = new Counter({ ...describedMetric(metrics.routerUpgradeFailures), registers })
  const sockets = new Gauge({ ...describedMetric(metrics.routerOpenSockets), registers })
  // Finding the series for a set of labels costs more than counting. There are few, so each is looked up once.
  const lookupSeries = memoize((result: Lookup) => lookups.labels({ result }))
  const durationSeries = memoize((target: Target) => duration.labels({ target }))
  const requestSeries = memoize((target: Target) =>
    memoize((status: number) => requests.labels({ target, status })),
  )

  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    lookup: (result: Lookup): void => lookupSeries(result).inc(),
    requestFinished(target: Target, status: number, seconds: number): void {
      requestSeries(target)(status).inc()
      durationSeries(target).observe(seconds)
    },
    upgrade(outcome: UpgradeOutcome): void {
      upgrades.inc({ outcome })
      if (outcome === 'failed') upgradeFailures.inc()
    },
    socketOpened: (): void => sockets.inc(),
    socketClosed: (): void => sockets.dec(),
  }
}

function memoize<Label, Series>(find: (label: Label) => Series): (label: Label) => Series {
  const found = new Map<Label, Series>()
  return (label) => {
    const known = found.get(label)
    if (known !== undefined) return known
    const series = find(label)
    found.set(label, series)
    return series
  }
}
