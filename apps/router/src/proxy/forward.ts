import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { requestIdOf } from '../http/headers.ts'
import { type Refusal, refuse, refuseAndClose } from '../http/response.ts'
import type { Connection, Pool, Pools } from './pools.ts'
import { RequestBody } from './request-body.ts'
import { type Failure, ResponseRelay, refusalFor } from './response-relay.ts'

/** A request and what is forwarded of it. */
export interface ForwardedRequest {
  request: IncomingMessage
  response: ServerResponse
  path: string
  /** Shares a busy backend's queue fairly. */
  network: string
  headers: string[]
  expectsContinue: boolean
}

export type Forward = ReturnType<typeof createForward>

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const backendBusy: Refusal = { code: 'UNAVAILABLE', message: 'The instance is busy. Try again shortly.' }

/** Streams requests to backends and responses back. */
export function createForward(
  pools: Pools,
  bodyStartTimeoutMs: number,
  onUnreachable: (origin: string, error: Error, reqId: string) => void,
) {
  return async (forwarded: ForwardedRequest, origins: readonly string[]): Promise<void> => {
    const { request, response, path, network } = forwarded
    const body = hasBody(request) ? new RequestBody(request) : null
    const isSafe = safeMethods.has(request.method ?? '') && !body
    if (body && forwarded.expectsContinue) response.writeContinue()
    const arrival = body ? await body.waitForStart(bodyStartTimeoutMs) : 'complete'
    if (arrival === 'late') {
      body?.destroy()
      return refuseAndClose(response, path, { code: 'REQUEST_TIMEOUT' })
    }
    let refusal: Refusal = { code: 'UNAVAILABLE' }
    for (const origin of origins) {
      if (response.destroyed || arrival === 'aborted') return
      const pool = pools.to(origin)
      const admitted = pool.acquire(arrival === 'partial', network, response)
      const release = admitted instanceof Promise ? await admitted : admitted
      if (!release) {
        refusal = backendBusy
        continue
      }
      const failure = await send(forwarded, body, pool, isSafe).finally(release)
      if (!failure) return
      refusal = refusalFor(failure.error)
      if (refusal.code !== 'BAD_GATEWAY') break // Do not repeat a request that timed out: the next backend would be as slow.
      onUnreachable(origin, failure.error, requestIdOf(request))
      if (!isSafe && failure.wasSent) break
    }
    body?.destroy()
    refuse(response, path, refusal)
  }
}

/** A backend may close an idle connection at any time without being down, so a safe request is sent once more. */
async function send(
  forwarded: ForwardedRequest,
  body: RequestBody | null,
  pool: Pool,
  isSafe: boolean,
): Promise<Failure | undefined> {
  const kept = pool.takeConnection()
  const mayBeClosed = kept.responses > 0
  const failure = await sendOn(kept, forwarded, body, pool)
  return failure && mayBeClosed && isSafe && refusalFor(failure.error).code === 'BAD_GATEWAY'
    ? await sendOn(pool.takeNewConnection(), forwarded, body, pool)
    : failure
}

function sendOn(
  connection: Connection,
  { request, response, path, headers }: ForwardedRequest,
  body: RequestBody | null,
  pool: Pool,
): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    const relay = new ResponseRelay(response, (failure, isComplete) => {
      if (isComplete) pool.giveBack(connection)
      else pool.drop(connection)
      resolve(failure)
    })
    const method = (request.method ?? 'GET') as Dispatcher.HttpMethod
    connection.client.dispatch({ method, path, headers, body }, relay)
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
