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
  const requests = new Counter({
    name: 'router_requests_total',
    help: 'HTTP requests by target and response status',
    labelNames: ['target', 'status'],
    registers,
  })
  const duration = new Histogram({
    name: 'router_request_duration_seconds',
    help: 'From the head of a request to the end of its response',
    labelNames: ['target'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30],
    registers,
  })
  const lookups = new Counter({
    name: 'router_lookups_total',
    help: 'Lookups of the pod that has a room',
    labelNames: ['result'],
    registers,
  })
  const upgrades = new Counter({
    name: 'router_upgrades_total',
    help: 'Upgrade requests by outcome',
    labelNames: ['outcome'],
    registers,
  })
  const upgradeFailures = new Counter({
    name: 'router_upgrade_failures_total',
    help: 'Upgrades that failed because no backend responded',
    registers,
  })
  const sockets = new Gauge({
    name: 'router_open_sockets',
    help: 'Open sockets through the router',
    registers,
  })
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
