import { startPostgres, startRedis } from '@atrium/testkit'

export type EngineName = 'sqlite' | 'postgres'
export const engineNames: readonly EngineName[] = ['sqlite', 'postgres']
export const engineTitles = { sqlite: 'SQLite, in process', postgres: 'PostgreSQL + Redis' }

/** The two ways the platform runs: embedded, or on PostgreSQL and Redis. */
export interface Engine {
  name: EngineName
  /** Configuration for a server on this engine with its own database. */
  freshEnv(): Promise<Record<string, string>>
  stop(): Promise<void>
}

/** Benchmarks that only read fill their tables beforehand, and need not wait for the disk to do so. */
export async function startEngine(
  name: EngineName,
  { syncsToDisk = true }: { syncsToDisk?: boolean } = {},
): Promise<Engine> {
  if (name === 'sqlite') return { name, freshEnv: async () => ({}), stop: async () => undefined }
  const postgres = await startPostgres({ syncsToDisk })
  const redis = await startRedis()
  let databases = 0
  return {
    name,
    // Redis has numbered databases too. Two servers with one name in the same database would fight over their lease.
    freshEnv: async () => ({
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: `${redis.url}/${databases++}`,
      // With everything on one saturated machine, PostgreSQL may answer late. That is a figure here, not a failure.
      DATABASE_PATIENCE_MS: '20000',
    }),
    async stop() {
      await redis.stop()
      await postgres.stop()
    },
  }
}
