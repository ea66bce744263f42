import { metrics } from '@atrium/monitoring'
import { describedMetric } from '@atrium/program'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createAgentMetrics } from './agent-metrics.ts'
import { createMetricSampler } from './metric-samples.ts'

export interface Metrics extends ReturnType<typeof createRequestMetrics> {
  agents: ReturnType<typeof createAgentMetrics>
  sample: ReturnType<typeof createMetricSampler>
  waiting(people: number, withoutCapacity: number): void
  /** `complete`, or `broken` if the client did not receive everything. */
  exported(outcome: string): void
  /** How far a participant's player is from where it should be, whether ahead or behind. */
  drift(driftMs: number): void
  sockets: { connected(count: number): void; disconnected(reason: string): void }
}

/** The contract's metrics and Node's default ones, in a registry of their own. */
export function createMetrics(
  countActiveExperiments: () => Promise<number>,
  countRooms: () => number,
  freeBytes: () => number | undefined,
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const { activeExperiments, syncAccuracy, connectedClients, disconnects } = metrics
  const experimentsGauge = new Gauge({
    ...describedMetric(activeExperiments),
    registers,
    async collect() {
      // Safe: a scrape must not fail because the database is away; the last value is kept.
      await countActiveExperiments()
        .then((count) => experimentsGauge.set(count))
        .catch(() => undefined)
    },
  })
  const roomsGauge = new Gauge({
    ...describedMetric(metrics.activeRooms),
    registers,
    collect() {
      roomsGauge.set(countRooms())
    },
  })
  const freeGauge = new Gauge({
    ...describedMetric(metrics.freeBytes),
    registers,
    collect() {
      // Without a disk to look at there is no sample, so that no alert takes it for an empty one.
      const free = freeBytes()
      if (free !== undefined) freeGauge.set(free)
      else freeGauge.remove()
    },
  })
  const drift = new Histogram({ ...describedMetric(syncAccuracy), registers })
  const waiting = new Gauge({ ...describedMetric(metrics.waitingParticipants), registers })
  const held = new Gauge({ ...describedMetric(metrics.waitingForCapacity), registers })
  const connected = new Gauge({ ...describedMetric(connectedClients), registers })
  const exported = new Counter({ ...describedMetric(metrics.exports), registers })
  const disconnected = new Counter({ ...describedMetric(disconnects), registers })

  return {
    ...createRequestMetrics(registry),
    agents: createAgentMetrics(registry),
    sample: createMetricSampler(registry),
    waiting(people, withoutCapacity) {
      waiting.set(people)
      held.set(withoutCapacity)
    },
    exported: (outcome) => exported.inc({ outcome }),
    drift: (driftMs) => drift.observe(Math.abs(driftMs)),
    sockets: {
      connected: (count) => connected.set(count),
      disconnected: (reason) => disconnected.inc({ reason }),
    },
  }
}

/** Metrics of every answered request, and the registry as text. */
export function createRequestMetrics(registry: Registry) {
  const { httpRequestDuration, httpRequests } = metrics
  const registers = [registry]
  const duration = new Histogram({ ...describedMetric(httpRequestDuration), registers })
  const requests = new Counter({ ...describedMetric(httpRequests), registers })
  const totals = { requests: 0, serverErrors: 0 }
  return {
    totals: () => ({ ...totals }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
    observe(app: FastifyInstance): void {
      app.addHook('onResponse', async (request, reply) => {
        const status = String(reply.statusCode)
        // The route's pattern, never the raw address, which would create a time series per visitor.
        const route = request.routeOptions.url ?? 'unmatched'
        // How long somebody watched a stream says nothing about how quick the server is.
        const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream')
        if (!isStream) duration.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
        requests.inc({ status })
        totals.requests++
        if (reply.statusCode >= 500) totals.serverErrors++
      })
    },
  }
}

export function createWorkerMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const ends = new Counter({ ...describedMetric(metrics.transcodeJobs), registers: [registry] })
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    ended: (end: string): void => ends.inc({ end }),
  }
}
