import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A request as this backend parsed it. */
export interface SeenRequest {
  line: string
  headers: string
}

/** How it resolves ambiguity. Real servers differ in exactly these points. */
export interface Leniency {
  /** Which one counts if there are both a length and a coding. */
  prefers: 'length' | 'coding'
  /** Which one counts if there are several lengths. */
  length: 'first' | 'last'
  /** Whether the body of a GET is taken for the next request. */
  ignoresBodyOfGet: boolean
}

/**
 * A naive HTTP server: it accepts any line end, finds headers by searching, reads numbers with `parseInt`, and takes
 * whatever is left over for the next request. It responds to each with what it saw.
 */
export async function startLenientBackend(leniency: Leniency) {
  const seen: SeenRequest[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    let received = ''
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      for (;;) {
        const request = readRequest(received, leniency)
        if (!request) return
        received = received.slice(request.length)
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

function readRequest(received: string, leniency: Leniency): (SeenRequest & { length: number }) | undefined {
  const skipped = /^[\r\n]*/.exec(received)?.[0].length ?? 0
  const head = /^[\s\S]*?\r?\n\r?\n/.exec(received.slice(skipped))?.[0]
  if (head === undefined) return undefined
  const [line = '', ...headers] = head.split(/\r?\n|\r/)
  const rest = received.slice(skipped + head.length)
  const body = bodyLength(line, headers.join('\n'), rest, leniency)
  if (body === undefined) return undefined
  return { line, headers: headers.join('\n'), length: skipped + head.length + body }
}

/** Undefined until the whole body has arrived. */
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
