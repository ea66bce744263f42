import type { IncomingMessage, ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export function createMetrics(usedBytes: () => number) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'objects_requests_total',
    help: 'Requests by method and response status',
    labelNames: ['method', 'status'],
    registers,
  })
  const received = new Counter({
    name: 'objects_received_bytes_total',
    help: 'Bytes of request bodies, as announced',
    registers,
  })
  new Gauge({
    name: 'objects_used_bytes',
    help: 'Bytes of all objects and parts; only counted if there is a quota',
    registers,
    collect() {
      this.set(usedBytes())
    },
  })
  return {
    text: () => registry.metrics(),
    contentType: registry.contentType,
    finished({ method = '', headers }: IncomingMessage, { statusCode }: ServerResponse): void {
      requests.inc({ method, status: statusCode })
      received.inc(Number(headers['content-length'] ?? 0) || 0)
    },
  }
}
