import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type ReceivedSpan = {
  service: string
  name: string
  traceId: string
  spanId: string
  /** Undefined for the first span of a trace. */
  parentSpanId: string | undefined
  attributes: Record<string, unknown>
  hasFailed: boolean
}

export type OtlpReceiver = {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string
  spans(): ReceivedSpan[]
  /** Everything that was received, as it was sent. */
  received(): string
  headers(): IncomingMessage['headers'][]
  /** Requests that have arrived, answered or not. */
  requestCount(): number
  behave(how: 'accept' | 'hang' | 'refuse'): void
  stop(): Promise<void>
}

/** A collector that keeps what it receives as OTLP over HTTP, in JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = []
  const headers: IncomingMessage['headers'][] = []
  let behaviour: 'accept' | 'hang' | 'refuse' = 'accept'
  let requests = 0

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests++
    if (behaviour === 'hang') return
    const body = await text(request)
    if (request.url !== '/v1/traces' || behaviour === 'refuse') {
      response.writeHead(400).end()
      return
    }
    bodies.push(body)
    headers.push(request.headers)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }

  const server = createServer((request, response) => {
    // A sender that leaves in the middle of its request has sent nothing.
    handle(request, response).catch(() => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies.flatMap(spansIn),
    received: () => bodies.join('\n'),
    headers: () => headers,
    requestCount: () => requests,
    behave: (how) => {
      behaviour = how
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

interface Attribute {
  key: string
  value: Record<string, unknown>
}

interface Batch {
  resource: { attributes: Attribute[] }
  scopeSpans: {
    spans: {
      name: string
      traceId: string
      spanId: string
      parentSpanId?: string
      attributes: Attribute[]
      status: { code?: number }
    }[]
  }[]
}

const errorStatus = 2

function spansIn(body: string): ReceivedSpan[] {
  const { resourceSpans }: { resourceSpans: Batch[] } = JSON.parse(body)
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, traceId, spanId, parentSpanId, attributes, status }) => ({
        service: String(asRecord(resource.attributes)['service.name']),
        name,
        traceId,
        spanId,
        parentSpanId: parentSpanId || undefined,
        attributes: asRecord(attributes),
        hasFailed: status.code === errorStatus,
      })),
    ),
  )
}

const asRecord = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
