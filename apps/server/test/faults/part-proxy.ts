import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PartProxy {
  readonly http: string
  /** Numbers of the parts that were begun to be sent, in this order. */
  readonly begun: number[]
  /** Numbers of the parts that the store has acknowledged. */
  readonly stored: number[]
  /** How many parts were cut off on their way. */
  broken(): number
  /** Parts that are under way, or held. */
  underWay(): number
  /** Nothing waits here any more. */
  holdNoMore(): void
  stop(): void
}

export interface PartProxyOptions {
  target: string
  /** The first attempt to send this part is cut off after so many bytes. */
  breakPart: number
  afterBytes: number
  /** Once so many parts are stored, further ones wait here and never arrive. */
  holdAfter: number
}

/** Sits between clients and a server, sees every part of an upload, and breaks one of them. */
export async function startPartProxy(options: PartProxyOptions): Promise<PartProxy> {
  const { hostname, port } = new URL(options.target)
  const begun: number[] = []
  const stored: number[] = []
  const parts = new Set<IncomingMessage>()
  let brokenParts = 0
  let { holdAfter } = options

  /** The client's own header Host is passed on: it is what addresses are signed for. */
  function forward(near: IncomingMessage, answer: ServerResponse, onStatus: (status: number) => void) {
    const { method, url: path, headers } = near
    const far = request({ hostname, port, method, path, headers }, (response) => {
      onStatus(response.statusCode ?? 0)
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    far.on('error', () => answer.destroy())
    // A client that is killed leaves half a request; the server must notice.
    answer.on('close', () => answer.writableEnded || far.destroy())
    near.pipe(far)
  }

  function breakOff(near: IncomingMessage): void {
    let bytes = 0
    near.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes < options.afterBytes || near.destroyed) return
      brokenParts++
      near.socket.destroy()
    })
  }

  const server = createServer({ requestTimeout: 0 }, (near, answer) => {
    near.on('error', () => undefined)
    answer.on('error', () => undefined)
    const partNumber = near.method === 'PUT' && /[?&]partNumber=(\d+)/.exec(near.url ?? '')?.[1]
    if (!partNumber) return forward(near, answer, () => undefined)
    const part = Number(partNumber)
    begun.push(part)
    parts.add(near)
    answer.on('close', () => parts.delete(near))
    // Read, or the end of its connection would not be noticed.
    if (stored.length >= holdAfter) return void near.resume()
    forward(near, answer, (status) => void (status === 200 && stored.push(part)))
    if (part === options.breakPart && begun.indexOf(part) === begun.length - 1) breakOff(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begun,
    stored,
    broken: () => brokenParts,
    underWay: () => parts.size,
    holdNoMore() {
      holdAfter = Number.POSITIVE_INFINITY
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
