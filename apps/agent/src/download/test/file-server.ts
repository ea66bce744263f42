import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FileServer {
  address: string
  /** The Range header of each request so far; undefined for those without one. */
  ranges: (string | undefined)[]
  requests: IncomingMessage[]
  stop(): Promise<void>
}

export interface Behaviour {
  /** Sends so many bytes, and then nothing more. */
  fallsSilentAfter?: number
  etag?: string
  /** Answers every request with the whole file. */
  ignoresRange?: boolean
  /** Sends the rest of whatever file it has now. */
  ignoresIfRange?: boolean
  answer?(request: IncomingMessage, response: ServerResponse): boolean
}

/** A real server that has one file, and behaves as badly as it is told. Change `file` and `behaviour` at any time. */
export async function startFileServer(state: { file: Buffer; behaviour: Behaviour }): Promise<FileServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    if (state.behaviour.answer?.(request, response)) return
    send(request, response, state.file, state.behaviour)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get ranges() {
      return requests.map(({ headers }) => headers.range)
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(request: IncomingMessage, response: ServerResponse, file: Buffer, behaviour: Behaviour): void {
  const { etag, fallsSilentAfter, ignoresRange, ignoresIfRange = false } = behaviour
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const ifRange = request.headers['if-range']
  const isUnchanged = ignoresIfRange || ifRange === undefined || ifRange === etag
  const isPart = from > 0 && isUnchanged && !ignoresRange
  if (isPart && from >= file.length) {
    response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end()
    return
  }
  const body = isPart ? file.subarray(from) : file
  response.writeHead(isPart ? 206 : 200, {
    'content-type': 'application/octet-stream',
    'content-length': body.length,
    ...(etag !== undefined && { etag }),
    ...(isPart && { 'content-range': `bytes ${from}-${file.length - 1}/${file.length}` }),
  })
  if (fallsSilentAfter === undefined || fallsSilentAfter >= body.length) response.end(body)
  else response.write(body.subarray(0, fallsSilentAfter))
}
