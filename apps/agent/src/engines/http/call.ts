import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { EngineFailed } from '../engine.ts'

/**
 * node:http rather than fetch: it costs a third of the CPU per request, and fetch gives up when the headers take longer
 * than five minutes, which a slow model may.
 */
export interface HttpCaller {
  call(
    method: 'GET' | 'POST',
    path: string,
    body: string | undefined,
    signal: AbortSignal,
  ): Promise<IncomingMessage>
  close(): void
}

export interface CallerOptions {
  /** Without a slash at its end. */
  baseUrl: string
  apiKey?: string | undefined
  /** Begins the sentences of errors. */
  who: string
}

export function createCaller({ baseUrl, apiKey, who }: CallerOptions): HttpCaller {
  const isHttps = new URL(baseUrl).protocol === 'https:'
  const agent = isHttps ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const request = isHttps ? requestHttps : requestHttp
  const headers: Record<string, string> = { accept: 'application/json, text/event-stream' }
  if (apiKey !== undefined) headers.authorization = `Bearer ${apiKey}`

  const callOnce = (
    connections: typeof agent | false,
    ...[method, path, body, signal]: Parameters<HttpCaller['call']>
  ): Promise<IncomingMessage | 'stale'> =>
    new Promise((resolve, reject) => {
      const bodyHeaders =
        body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sent = request(baseUrl + path, {
        method,
        agent: connections,
        signal,
        headers: { ...headers, ...bodyHeaders },
      })
      sent.once('response', resolve)
      sent.once('error', (error: NodeJS.ErrnoException) => {
        if (signal.aborted) reject(error)
        else if (sent.reusedSocket && isCutOff(error)) resolve('stale')
        else reject(new EngineFailed(503, `${who} does not answer (${error.code ?? error.message}).`))
      })
      // After a 101, Node closes the connection, and neither an answer nor an error follows. In all other cases this comes later.
      sent.once('close', () =>
        reject(new EngineFailed(503, `${who} closed the connection without an answer.`)),
      )
      sent.end(body)
    })

  return {
    async call(...order) {
      const response = await callOnce(agent, ...order)
      if (response !== 'stale') return response
      // A server may close an idle connection in the moment in which we use it again. A new one has no such past.
      const again = await callOnce(false, ...order)
      if (again === 'stale') throw new EngineFailed(503, `${who} closes its connections before it answers.`)
      return again
    },
    close: () => agent.destroy(),
  }
}

const isCutOff = ({ code }: NodeJS.ErrnoException): boolean => code === 'ECONNRESET' || code === 'EPIPE'

/** The bytes of the body. A server that dies in the middle is one that does not answer. */
export async function* bodyOf(response: IncomingMessage, who: string): AsyncGenerator<Buffer> {
  try {
    yield* response as AsyncIterable<Buffer>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
    throw new EngineFailed(503, `${who} broke off in the middle of its answer.`)
  }
}

/** The whole body as text, of at most `maxBytes`. */
export async function readBounded(response: IncomingMessage, maxBytes: number, who: string): Promise<string> {
  const { text, isWhole } = await readBeginning(response, maxBytes, who)
  if (!isWhole) throw new EngineFailed(502, `${who} answered with more than ${maxBytes} bytes.`)
  return text
}

/** As much of the body as `maxBytes` hold, or a piece more. The connection is closed if there is more. */
export async function readBeginning(
  response: IncomingMessage,
  maxBytes: number,
  who: string,
): Promise<{ text: string; isWhole: boolean }> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of bodyOf(response, who)) {
    bytes += piece.length
    pieces.push(piece)
    if (bytes > maxBytes) break // Leaving the loop destroys the response.
  }
  return { text: Buffer.concat(pieces).toString('utf8'), isWhole: bytes <= maxBytes }
}
