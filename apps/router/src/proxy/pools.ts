import type { ServerResponse } from 'node:http'
import { Client } from 'undici'
import { createTurnstile, enterInTurn } from '../limits/admission.ts'
import type { Limits } from '../limits/limits.ts'

/** A connection to a backend, kept by undici: it opens anew by itself after it was closed. */
export interface Connection {
  readonly client: Client
  /** Answers since it was opened. After the first, a backend may close it just as the next request comes. */
  answers: number
}

export type Pools = ReturnType<typeof createPools>
export type Pool = ReturnType<typeof createPool>
type PoolLimits = Pick<Limits, 'connectMs' | 'answerMs' | 'goneMs' | 'perBackend'>

/** Gives a place back. */
type Leave = () => void

/** Below the five seconds of a Node server that says nothing: it is we who close, and not as a request is coming. */
const keepAliveMs = 4_000
const keepAliveMarginMs = 1_000

/** Keep-alive connections to each backend. */
export function createPools(limits: PoolLimits, now: () => number) {
  const pools = new Map<string, Pool>()
  const seenAt = new Map<string, number>()

  function open(origin: string): Pool {
    const pool = createPool(origin, limits)
    pools.set(origin, pool)
    seenAt.set(origin, now())
    return pool
  }

  return {
    to: (origin: string): Pool => pools.get(origin) ?? open(origin),
    /** Pods come and go under new addresses. One that stops finishes what is under way; one that hangs never does. */
    keepOnly(origins: ReadonlySet<string>): void {
      for (const [origin, pool] of pools)
        if (origins.has(origin)) seenAt.set(origin, now())
        else if (now() - (seenAt.get(origin) ?? 0) > limits.goneMs) {
          pools.delete(origin)
          seenAt.delete(origin)
          pool.destroy()
        }
    },
    destroy(): void {
      for (const pool of pools.values()) pool.destroy()
    },
  }
}

/**
 * One undici client for each connection, one request at a time on each. Not undici's own pool: it does not say whether
 * a request failed on a kept connection, which decides whether it may be repeated, and looks through all connections for
 * a free one.
 */
function createPool(origin: string, { connectMs, answerMs, perBackend }: PoolLimits) {
  const turnstile = createTurnstile(perBackend)
  /** However slowly bodies come, most places are left for requests that can be answered at once. */
  const arriving = createTurnstile({ ...perBackend, most: Math.ceil(perBackend.most / 4) })
  const all = new Set<Client>()
  /** The last one freed is the next one used, so that those too many grow old and are closed. */
  const free: Connection[] = []

  function open(): Connection {
    const client = new Client(origin, {
      pipelining: 1,
      connect: { timeout: connectMs, noDelay: true },
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      keepAliveTimeoutThreshold: keepAliveMarginMs,
    })
    const connection: Connection = { client, answers: 0 }
    all.add(client)
    client.on('disconnect', () => {
      connection.answers = 0
      const at = free.indexOf(connection)
      if (at < 0) return
      free.splice(at, 1)
      drop(connection)
    })
    return connection
  }
  function drop({ client }: Connection): void {
    all.delete(client)
    void client.destroy()
  }

  async function enterArriving(network: string, response: ServerResponse): Promise<Leave | undefined> {
    if (!(await enterInTurn(arriving, network, response))) return undefined
    if (!response.destroyed && (await enterInTurn(turnstile, network, response)))
      return () => {
        turnstile.leave()
        arriving.leave()
      }
    arriving.leave()
    return undefined
  }

  return {
    /** A place, at once where there is one. Undefined when it took too long, too many wait, or the client has left. */
    enter(
      isArriving: boolean,
      network: string,
      response: ServerResponse,
    ): Leave | Promise<Leave | undefined> {
      if (isArriving) return enterArriving(network, response)
      const isTurn = enterInTurn(turnstile, network, response)
      return isTurn === true ? turnstile.leave : isTurn.then((isIn) => (isIn ? turnstile.leave : undefined))
    },
    /** To be called inside only: the places bound the connections. */
    take: (): Connection => free.pop() ?? open(),
    /** A connection that nobody has used, in place of one that would be as old as the one that failed. */
    takeNew(): Connection {
      const kept = free.pop()
      if (kept) drop(kept)
      return open()
    },
    /** After an answer. */
    giveBack(connection: Connection): void {
      connection.answers++
      free.push(connection)
    },
    /** After a failure. */
    drop,
    destroy(): void {
      for (const client of all) void client.destroy(new Error('the backend is gone'))
    },
  }
}
