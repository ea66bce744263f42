import { startPostgres, startRedis } from '@atrium/testkit'

export type EngineName = 'sqlite' | 'postgres'
export const engineNames: readonly EngineName[] = ['sqlite', 'postgres']

/** The two ways the platform runs: embedded, or on PostgreSQL and Redis. */
export interface Engine {
  name: EngineName
  /** Configuration that puts a server on this engine, on a database of its own. */
  freshEnv(): Promise<Record<string, string>>
  stop(): Promise<void>
}

export async function startEngine(name: EngineName): Promise<Engine> {
  if (name === 'sqlite') return { name, freshEnv: async () => ({}), stop: async () => undefined }
  const postgres = await startPostgres()
  const redis = await startRedis()
  let databases = 0
  return {
    name,
    // Redis has numbered databases too: two servers under one name would take each other for an impostor.
    freshEnv: async () => ({
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: `${redis.url}/${databases++}`,
    }),
    async stop() {
      await redis.stop()
      await postgres.stop()
    },
  }
}
