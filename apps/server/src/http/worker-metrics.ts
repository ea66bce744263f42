import { metrics } from '@atrium/monitoring'
import { describedMetric } from '@atrium/program'
import { Counter, collectDefaultMetrics, Registry } from 'prom-client'

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
