import { connectRedis } from '@atrium/program'
import { type Redis as RedisProgram, startRedis, waitUntil } from '@atrium/testkit'
import type { Redis } from 'ioredis'
import { afterAll, beforeAll, describe } from 'vitest'

/** A dedicated Redis, with any number of connections made as the server makes them. */
export function useRedis() {
  const connections: Redis[] = []
  let program: RedisProgram | undefined
  const current = (): RedisProgram => {
    if (!program) throw new Error('Redis starts in beforeAll: use it inside tests and hooks')
    return program
  }
  beforeAll(async () => {
    program = await startRedis()
  })
  afterAll(async () => {
    for (const connection of connections) connection.disconnect()
    await program?.stop()
  })
  return {
    program: current,
    async connect(): Promise<Redis> {
      // The commands reject too; these tests are about reconnecting.
      const connection = connectRedis(current().url, () => undefined)
      connections.push(connection)
      await waitUntil(() => connection.status === 'ready' || connection.status)
      return connection
    },
  }
}

/** Registers the same tests for both adapters of a port. */
export function describeBothAdapters<Port>(
  name: string,
  adapters: { inProcess(): Port; redis(connect: () => Promise<Redis>): Promise<Port> },
  body: (create: () => Promise<Port>) => void,
): void {
  describe(`${name} (in-process)`, () => body(async () => adapters.inProcess()))
  describe(`${name} (redis)`, () => {
    const redis = useRedis()
    body(() => adapters.redis(redis.connect))
  })
}
