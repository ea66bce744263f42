import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Engine } from '../engines/engine.ts'
import { Misuse } from '../misuse.ts'
import { explain, findRoute, type RouteDeps } from './answer.ts'
import { createKeyCheck } from './authorisation.ts'
import { createGate, type GateLoad } from './gate.ts'
import { bodyDiscarded, discardBody } from './read-body.ts'
import { answerBrokenRequest, Refusal, sendRefusal } from './refusal.ts'
import { ClientGone, createRequests, settlesWithin } from './requests.ts'

/** What the log may say about a request: never a key, never a word of a prompt. */
export interface FrontEntry {
  method: string
  /** The name of the route; undefined for paths that there are not. */
  route: string | undefined
  /** 499 if the client left before the answer. */
  status: number
  code: string | undefined
  ms: number
  /** A fault of ours, with its stack. */
  fault?: unknown
}

export interface FrontOptions {
  engine: Engine
  apiKey: string
  host: string
  port: number
  /** How many requests may wait for a place. */
  queueLimit?: number
  /** How long a request may take, with its time in the queue. */
  requestTimeoutMs?: number
  /** How long requests under way may go on after `stop`. */
  stopGraceMs?: number
  /** How long somebody without the key may take for the body of a request. */
  strangerBodyMs?: number
  log?: (entry: FrontEntry) => void
  now?: () => number
}

export interface Front {
  /** `http://host:port`, without `/v1`. */
  readonly address: string
  readonly port: number
  load(): GateLoad
  /** No new requests; those under way may finish; then they are aborted. Safe to call twice. The engine goes on. */
  stop(): Promise<void>
}

/** Nobody has a request that fits the context and is larger. */
const bytesPerToken = 32
const minBodyLimit = 4 * 1024 * 1024
const leftEarly = 499

/** The server that keeps the contract in front of every engine: key, tools, overflow, errors, concurrency. */
export async function startFront(options: FrontOptions): Promise<Front> {
  const { engine, apiKey, host, port, queueLimit = 64, log, now = () => performance.now() } = options
  const { requestTimeoutMs = 600_000, stopGraceMs = 10_000, strangerBodyMs = 5_000 } = options
  const checkKey = createKeyCheck(apiKey)
  const requests = createRequests(requestTimeoutMs)
  const gate = createGate({ parallel: engine.parallel, queueLimit, now })
  const maxBodyBytes = Math.max(minBodyLimit, engine.contextTokens * bytesPerToken)
  const deps: RouteDeps = { engine, gate, maxBodyBytes, startedAtSeconds: Math.floor(Date.now() / 1000) }
  let closedBecause: Refusal | undefined

  /** Returns what is to be logged. */
  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Omit<FrontEntry, 'method' | 'ms'>> {
    const signal = requests.begin(response)
    let routeName: string | undefined
    try {
      checkKey(request)
      const { route, rest } = findRoute(request)
      routeName = route.name
      if (closedBecause !== undefined) throw closedBecause
      const failure = await route.handle(deps, { request, response, signal, rest })
      return { route: routeName, status: response.statusCode, code: failure?.code }
    } catch (error) {
      if (signal.aborted && signal.reason instanceof ClientGone)
        return { route: routeName, status: leftEarly, code: undefined }
      const refusal = await explain(engine, error, signal)
      if (refusal.code === 'invalid_api_key') {
        // Connections are few: strangers keep none. Closed with a body on its way, the answer might never be read.
        await bodyDiscarded(request, maxBodyBytes, strangerBodyMs)
        response.setHeader('connection', 'close')
      }
      if (response.headersSent) response.destroy()
      else {
        if (closedBecause !== undefined) response.setHeader('connection', 'close')
        sendRefusal(response, refusal)
      }
      discardBody(request, maxBodyBytes)
      const fault = refusal.code === 'internal_error' ? { fault: error } : {}
      return { route: routeName, status: refusal.status, code: refusal.code, ...fault }
    }
  }

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = now()
    answer(request, response).then((entry) =>
      log?.({ method: request.method ?? '', ms: now() - startedAt, ...entry }),
    )
  }
  // Node would answer requests without a host and with unknown expectations itself, without looking at the key.
  const server = createServer({ requireHostHeader: false }, handle)
  server.on('checkExpectation', handle)
  server.headersTimeout = 15_000
  server.requestTimeout = 120_000
  server.keepAliveTimeout = 75_000 // Longer than the tunnel and the platform keep theirs: they must not meet a closing one.
  server.maxConnections = 2_048
  server.on('clientError', answerBrokenRequest)

  engine.lost.then((sentence) => {
    closedBecause ??= new Refusal('engine_unavailable', sentence)
    gate.close(closedBecause)
    requests.abortAll(closedBecause)
  })

  server.listen(port, host)
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw listenError(error, host, port)
  })
  const address = server.address() as AddressInfo

  let stopped: Promise<void> | undefined
  async function stopOnce(): Promise<void> {
    const goingDown = new Refusal('shutting_down', 'This server is being stopped.')
    closedBecause ??= goingDown
    gate.close(goingDown)
    const closed = once(server, 'close')
    server.close()
    if (!(await settlesWithin(requests.allEnded(), stopGraceMs))) {
      requests.abortAll(goingDown)
      await settlesWithin(requests.allEnded(), lastWordsMs)
    }
    server.closeAllConnections()
    await closed
  }

  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    load: gate.load,
    stop: () => (stopped ??= stopOnce()),
  }
}

/** For sending that a request has been aborted. */
const lastWordsMs = 2_000

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new Misuse(`Port ${port} is taken by another program. Choose another one: --port <number>`)
  if (error.code === 'EACCES')
    return new Misuse(`Port ${port} needs more rights. Choose one above 1023: --port <number>`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Misuse(`This machine has no address ${host}.`)
  return error
}
