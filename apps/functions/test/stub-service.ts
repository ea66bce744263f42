import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface SeenRequest {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: unknown
}

export interface StubAnswer {
  status: number
  body?: unknown
  headers?: Record<string, string>
}

/** A service on this machine that remembers its requests and answers as the test says. */
export async function startStub(answer: (request: SeenRequest) => StubAnswer) {
  const seen: SeenRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = headers['content-type']?.includes('json') ? await json(request).catch(() => null) : null
    const met = { method, path: url, headers, body }
    seen.push(met)
    const { status, body: answered = {}, headers: more = {} } = answer(met)
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(JSON.stringify(answered))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
