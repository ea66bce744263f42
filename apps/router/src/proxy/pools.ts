import type { ServerResponse } from 'node:http'
import { Client } from 'undici'
import { acquire, createLimiter } from '../limits/limiter.ts'
import type { Limits } from '../limits/limits.ts'

/** A connection to a backend, kept by undici, which reopens it after a close. */
export interface Connection {
  readonly client: Client
  /** Responses since it was opened. After the first, a backend may close it just as the next request is sent. */
  responses: number
}

export type Pools = ReturnType<typeof createPools>
export type Pool = ReturnType<typeof createPool>
type PoolLimits = Pick<Limits, 'connectTimeoutMs' | 'responseTimeoutMs' | 'abandonAfterMs' | 'perBackend'>

/** Frees a slot. */
type Release = () => void

/** Below the five seconds after which a Node server closes by default, so that we close, and not while sending a request. */
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
    /** Instances come and go under new addresses. One that stops finishes its requests; one that hangs never does. */
    keepOnly(origins: ReadonlySet<string>): void {
      for (const [origin, pool] of pools)
        if (origins.has(origin)) seenAt.set(origin, now())
        else if (now() - (seenAt.get(origin) ?? 0) > limits.abandonAfterMs) {
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
 * One undici client for each connection, one request at a time on each. Not undici's own pool, which does not report
 * whether a request failed on a kept connection (this decides whether it may be repeated) and scans all connections for a
 * free one.
 */
function createPool(origin: string, { connectTimeoutMs, responseTimeoutMs, perBackend }: PoolLimits) {
  const limiter = createLimiter(perBackend)
  /** However slowly bodies arrive, most slots are left for requests that can be answered at once. */
  const uploadLimiter = createLimiter({ ...perBackend, maxActive: Math.ceil(perBackend.maxActive / 4) })
  const all = new Set<Client>()
  /** Last in, first out, so that surplus connections stay idle and are closed. */
  const free: Connection[] = []

  function open(): Connection {
    const client = new Client(origin, {
      pipelining: 1,
      connect: { timeout: connectTimeoutMs, noDelay: true },
      headersTimeout: responseTimeoutMs,
      bodyTimeout: responseTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: keepAliveMs,
      keepAliveTimeoutThreshold: keepAliveMarginMs,
    })
    const connection: Connection = { client, responses: 0 }
    all.add(client)
    client.on('disconnect', () => {
      connection.responses = 0
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

  async function acquireForUpload(network: string, response: ServerResponse): Promise<Release | undefined> {
    if (!(await acquire(uploadLimiter, network, response))) return undefined
    if (!response.destroyed && (await acquire(limiter, network, response)))
      return () => {
        limiter.release()
        uploadLimiter.release()
      }
    uploadLimiter.release()
    return undefined
  }

  return {
    /** A slot, at once if one is free. Undefined if that took too long, too many wait, or the client has left. */
    acquire(
      isUploading: boolean,
      network: string,
      response: ServerResponse,
    ): Release | Promise<Release | undefined> {
      if (isUploading) return acquireForUpload(network, response)
      const admitted = acquire(limiter, network, response)
      return admitted === true
        ? limiter.release
        : admitted.then((isAdmitted) => (isAdmitted ? limiter.release : undefined))
    },
    /** Call only while holding a slot: the slots bound the connections. */
    takeConnection: (): Connection => free.pop() ?? open(),
    /** A fresh connection, replacing a kept one that would be as old as the one that failed. */
    takeNewConnection(): Connection {
      const kept = free.pop()
      if (kept) drop(kept)
      return open()
    },
    /** After a complete response. */
    giveBack(connection: Connection): void {
      connection.responses++
      free.push(connection)
    },
    /** After a failure. */
    drop,
    destroy(): void {
      for (const client of all) void client.destroy(new Error('the backend is gone'))
    },
  }
}
