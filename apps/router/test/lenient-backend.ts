import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A request as this backend understood it. */
export interface SeenRequest {
  line: string
  headers: string
}

/** How it reads what is unclear. Real servers differ in just these points. */
export interface Leniency {
  /** Of a length and a coding, which one counts. */
  prefers: 'length' | 'coding'
  /** Of several lengths, which one counts. */
  length: 'first' | 'last'
  /** Whether the body of GET is taken for the next request. */
  ignoresBodyOfGet: boolean
}

/**
 * A naive HTTP server: any line end will do, headers are found by a search, numbers are whatever `parseInt` makes of
 * them, and whatever is left over is the next request. It answers each with what it saw.
 */
export async function startLenientBackend(leniency: Leniency) {
  const seen: SeenRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let said = ''
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1')
      for (;;) {
        const request = readRequest(said, leniency)
        if (!request) return
        said = said.slice(request.length)
        seen.push(request)
        const body = JSON.stringify({
          line: request.line,
          marker: headerOf(request.headers, 'x-marker', 'first'),
        })
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    seen: () => seen,
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function readRequest(said: string, leniency: Leniency): (SeenRequest & { length: number }) | undefined {
  const skipped = /^[\r\n]*/.exec(said)?.[0].length ?? 0
  const head = /^[\s\S]*?\r?\n\r?\n/.exec(said.slice(skipped))?.[0]
  if (head === undefined) return undefined
  const [line = '', ...headers] = head.split(/\r?\n|\r/)
  const rest = said.slice(skipped + head.length)
  const body = bodyLength(line, headers.join('\n'), rest, leniency)
  if (body === undefined) return undefined
  return { line, headers: headers.join('\n'), length: skipped + head.length + body }
}

/** Undefined until all of it is there. */
function bodyLength(line: string, headers: string, rest: string, leniency: Leniency): number | undefined {
  if (leniency.ignoresBodyOfGet && /^(get|head)\b/i.test(line)) return 0
  const length = headerOf(headers, 'content[-_.]length', leniency.length)
  const isChunked = /chunked/i.test(headerOf(headers, 'transfer[-_.]encoding', 'last') ?? '')
  if (isChunked && (length === undefined || leniency.prefers === 'coding')) return chunksLength(rest)
  const bytes = Number.parseInt(length ?? '0', 10) || 0
  return rest.length >= bytes ? Math.max(bytes, 0) : undefined
}

function chunksLength(rest: string): number | undefined {
  let at = 0
  for (;;) {
    const size = /^([^\r\n]*)\r?\n/.exec(rest.slice(at))
    if (!size) return undefined
    const bytes = Number.parseInt(size[1] ?? '', 16) || 0
    at += size[0].length + bytes
    const end = /^(\r?\n)/.exec(rest.slice(at))
    if (bytes === 0) return trailersEnd(rest, at)
    if (rest.length < at + 2) return undefined
    at += end?.[0].length ?? 0
  }
}

function trailersEnd(rest: string, at: number): number | undefined {
  const trailers = /^(?:[^\r\n]+\r?\n)*\r?\n/.exec(rest.slice(at))
  return trailers ? at + trailers[0].length : undefined
}

export function headerOf(headers: string, name: string, which: 'first' | 'last'): string | undefined {
  const all = [...headers.matchAll(new RegExp(`^\\s*${name}\\s*:[ \\t]*([^\\n]*)$`, 'gim'))]
  return all.at(which === 'first' ? 0 : -1)?.[1]
}
