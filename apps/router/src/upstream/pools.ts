import { socketAddressOf } from '../directory/origin.ts'
import type { Limits } from '../limits.ts'
import { type Asker, Connection, type Question } from './connection.ts'

export type Pools = ReturnType<typeof createPools>
type Pool = ReturnType<typeof createPool>
type PoolLimits = Pick<Limits, 'connectMs' | 'answerMs' | 'goneMs'>

/** Keep-alive connections to each backend. */
export function createPools(limits: PoolLimits, now: () => number) {
  const pools = new Map<string, Pool>()
  const seenAt = new Map<string, number>()
  const readBuffer = Buffer.alloc(65_536)

  function open(origin: string): Pool {
    const pool = createPool(origin, limits, readBuffer)
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

function createPool(origin: string, limits: PoolLimits, readBuffer: Buffer) {
  const address = socketAddressOf(origin)
  const all = new Set<Connection>()
  /** The last one freed is the next one used, so that those too many grow old and are closed. */
  const free: Connection[] = []

  const onFree = (connection: Connection): void => void free.push(connection)
  const onClosed = (connection: Connection): void => {
    all.delete(connection)
    const at = free.indexOf(connection)
    if (at >= 0) free.splice(at, 1)
  }
  function open(): Connection {
    const connection = new Connection({ address, limits, readBuffer, onFree, onClosed })
    all.add(connection)
    return connection
  }
  /** One that has just been closed may still be in the list. */
  function kept(): Connection | undefined {
    let connection = free.pop()
    while (connection && !connection.isOpen) connection = free.pop()
    return connection
  }

  return {
    /** `isAnew`: on a connection that nobody has used. */
    ask(question: Question, asker: Asker, isAnew: boolean): Connection {
      const connection = (isAnew ? undefined : kept()) ?? open()
      connection.ask(question, asker)
      return connection
    },
    destroy(): void {
      for (const connection of all) connection.destroy()
    },
  }
}
