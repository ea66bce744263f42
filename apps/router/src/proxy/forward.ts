import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { type Refusal, refuse, refuseAndClose } from '../http/response.ts'
import { refusalFor } from './failure.ts'
import type { Connection, Pool, Pools } from './pools.ts'
import { RequestBody } from './request-body.ts'
import { type Failure, Relay } from './response-relay.ts'

/** A request with all that a backend is to get of it. */
export interface ForwardedRequest {
  request: IncomingMessage
  response: ServerResponse
  path: string
  /** Whose turn it is when a backend is busy. */
  network: string
  headers: string[]
  expectsContinue: boolean
}

export type Forward = ReturnType<typeof createForward>

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
const busy: Refusal = { code: 'UNAVAILABLE', message: 'The instance is busy. Try again shortly.' }

/** Passes requests on and answers back, both as streams. */
export function createForward(
  pools: Pools,
  gatherMs: number,
  onUnreachable: (origin: string, error: Error) => void,
) {
  return async (forwarded: ForwardedRequest, origins: readonly string[]): Promise<void> => {
    const { request, response, path, network } = forwarded
    const body = hasBody(request) ? new RequestBody(request) : null
    const isSafe = safeMethods.has(request.method ?? '') && !body
    if (body && forwarded.expectsContinue) response.writeContinue()
    const arrived = body ? await body.gather(gatherMs) : 'whole'
    if (arrived === 'late') {
      body?.destroy()
      return refuseAndClose(response, path, { code: 'REQUEST_TIMEOUT' })
    }
    let refusal: Refusal = { code: 'UNAVAILABLE' }
    for (const origin of origins) {
      if (response.destroyed || arrived === 'gone') return
      const pool = pools.to(origin)
      const isTurn = pool.enter(arrived === 'begun', network, response)
      const leave = isTurn instanceof Promise ? await isTurn : isTurn
      if (!leave) {
        refusal = busy
        continue
      }
      const failure = await send(forwarded, body, pool, isSafe).finally(leave)
      if (!failure) return
      refusal = refusalFor(failure.error)
      if (refusal.code !== 'BAD_GATEWAY') break // A slow answer is not asked for twice: the next one would be as slow.
      onUnreachable(origin, failure.error)
      if (!isSafe && failure.wasSent) break
    }
    body?.destroy()
    refuse(response, path, refusal)
  }
}

/** That a backend closes a connection which nobody uses says nothing of the backend: what is safe is sent again. */
async function send(
  forwarded: ForwardedRequest,
  body: RequestBody | null,
  pool: Pool,
  isSafe: boolean,
): Promise<Failure | undefined> {
  const kept = pool.take()
  const mayBeClosed = kept.answers > 0
  const failure = await sendOn(kept, forwarded, body, pool)
  return failure && mayBeClosed && isSafe && refusalFor(failure.error).code === 'BAD_GATEWAY'
    ? await sendOn(pool.takeNew(), forwarded, body, pool)
    : failure
}

function sendOn(
  connection: Connection,
  { request, response, path, headers }: ForwardedRequest,
  body: RequestBody | null,
  pool: Pool,
): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    const relay = new Relay(response, (failure, isOver) => {
      if (isOver) pool.giveBack(connection)
      else pool.drop(connection)
      resolve(failure)
    })
    const method = (request.method ?? 'GET') as Dispatcher.HttpMethod
    connection.client.dispatch({ method, path, headers, body }, relay)
  })
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
