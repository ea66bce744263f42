import { Pool } from 'undici'
import type { Limits } from '../limits.ts'

export type Pools = ReturnType<typeof createPools>

/** Keep-alive connections to each backend. */
export function createPools({ connectMs, answerMs }: Pick<Limits, 'connectMs' | 'answerMs'>) {
  const pools = new Map<string, Pool>()
  return {
    to(origin: string): Pool {
      const known = pools.get(origin)
      if (known) return known
      const pool = new Pool(origin, {
        connect: { timeout: connectMs, noDelay: true },
        headersTimeout: answerMs,
        bodyTimeout: answerMs,
      })
      pools.set(origin, pool)
      return pool
    },
    /** Pods come and go under new addresses; what is under way to those that went is finished. */
    keepOnly(origins: ReadonlySet<string>): void {
      for (const [origin, pool] of pools) {
        if (origins.has(origin)) continue
        pools.delete(origin)
        void pool.close()
      }
    },
    async destroy(): Promise<void> {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()))
    },
  }
}
