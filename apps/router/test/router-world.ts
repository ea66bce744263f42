import { keys } from '@atrium/coordination'
import { connectRedis } from '@atrium/program'
import { type Redis as RedisProgram, type Server, startRedis, startRouter, waitUntil } from '@atrium/testkit'
import type { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { type Backend, type Handler, startBackend } from './backend.ts'
import { sendRequest } from './requests.ts'

/** Redis, backends registered as instances, and the real router in front of them. */
export interface World {
  router: Server
  redis: RedisProgram
  directory: Redis
  pods: Backend[]
  /** Starts an instance without a lease. */
  startPod(name: string, handler?: Handler): Promise<Backend>
  lease(pod: Pick<Backend, 'name' | 'origin'>, draining?: boolean): Promise<void>
  pin(roomId: string, podId: string): Promise<void>
  /** Resolves when the router sees that many open backends. */
  untilBackends(count: number): Promise<void>
}

export interface WorldOptions {
  /** `pod-0`, `pod-1`, … */
  pods?: number
  env?: (startPod: World['startPod']) => Promise<Record<string, string>>
  handler?: Handler
}

export async function startWorld({ pods: count = 2, env, handler }: WorldOptions = {}) {
  const redis = await startRedis()
  const directory = connectRedis(redis.url, () => undefined)
  // The router may not wait for a busy Redis; the test that sets it up does.
  directory.options.commandTimeout = 30_000
  await waitUntil(() => directory.status === 'ready' || directory.status)
  const started: Backend[] = []
  const startPod = async (name: string, own = handler) => {
    const pod = await startBackend(name, own)
    started.push(pod)
    return pod
  }
  const lease = async ({ name, origin }: Pick<Backend, 'name' | 'origin'>, draining = false) => {
    const value = { address: origin, draining, maxRooms: 20, maxParticipants: 80 }
    await directory.sadd(keys.pods, name)
    await directory.set(keys.podLease(name), JSON.stringify(value))
  }
  const pods: Backend[] = []
  for (let index = 0; index < count; index++) pods.push(await startPod(`pod-${index}`))
  for (const pod of pods) await lease(pod)
  const router = await startRouter({ redisUrl: redis.url, env: (await env?.(startPod)) ?? {} })
  const world: World = {
    router,
    redis,
    directory,
    pods,
    startPod,
    lease,
    async pin(roomId, podId) {
      const assignment = { podId, participantCount: 1, assignedAt: Date.now() }
      await directory.set(keys.roomPod(roomId), JSON.stringify(assignment))
    },
    async untilBackends(wanted) {
      await waitUntil(async () => {
        const { text } = await sendRequest(router.http, '/health/router')
        return JSON.parse(text).backends === wanted || text
      })
    },
  }
  return {
    world,
    async stop() {
      await router.stop()
      directory.disconnect()
      await redis.stop()
      for (const pod of started) await pod.stop()
    },
  }
}

/** One world for all tests of a file or `describe`. */
export function useWorld(options: WorldOptions = {}): () => World {
  let current: Awaited<ReturnType<typeof startWorld>> | undefined
  const world = (): World => {
    if (!current) throw new Error('the world starts in beforeAll: use it inside tests and hooks')
    return current.world
  }
  beforeAll(async () => {
    current = await startWorld(options)
  })
  afterAll(() => current?.stop())
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') console.error(world().router.stderr().slice(-4_000))
  })
  return world
}
