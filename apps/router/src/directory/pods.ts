import { keys, PodLease } from '@atrium/coordination'
import type { Redis } from 'ioredis'
import { parseJson, parseOrigin } from './parse.ts'
import { readWithRetry } from './read-with-retry.ts'

interface Pod {
  origin: string
  isDraining: boolean
}

interface PodsDeps {
  redis: Redis
  /** The origin of an instance without a lease, if it is a configured backend. */
  originByName(podId: string): string | undefined
  now(): number
}

export type Pods = ReturnType<typeof watchPods>

/** A lease expires 1.5 s after its last renewal, so a dead instance leaves the list within two seconds. */
const refreshEveryMs = 500
const emptyGraceMs = 3_000

/**
 * The instances with a valid lease, read twice a second. While Redis is down the last list stays valid: instances do not die with
 * Redis.
 */
export function watchPods({ redis, originByName, now }: PodsDeps) {
  let pods = new Map<string, Pod>()
  let openOrigins: string[] = []
  let isUp = false
  /** When Redis first responded without any instances. */
  let emptySince: number | undefined
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const listeners: (() => void)[] = []

  function replacePods(found: Map<string, Pod>): void {
    pods = found
    const open = [...pods.values()].filter(({ isDraining }) => !isDraining)
    openOrigins = [...new Set(open.map(({ origin }) => origin))].sort()
    for (const listener of listeners) listener()
  }

  async function refresh(): Promise<void> {
    try {
      const found = await readLeases(redis)
      isUp = true
      emptySince = found.size > 0 ? undefined : (emptySince ?? now())
      // An empty list does not mean that all instances died: Redis may have restarted empty, and instances need a moment to renew.
      if (emptySince === undefined || now() - emptySince >= emptyGraceMs) replacePods(found)
    } catch {
      isUp = false // The connection logs the reason.
      emptySince = undefined
    }
    if (!isStopped) timer = setTimeout(refresh, refreshEveryMs)
  }

  async function readLease(podId: string): Promise<string | undefined> {
    const found = podIn(await readWithRetry(() => redis.get(keys.podLease(podId))).catch(() => null))
    if (found) pods.set(podId, found)
    return found?.origin ?? originByName(podId)
  }

  return {
    /** Resolves after the first read, even if it failed. */
    start: refresh,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
    isRedisUp: (): boolean => isUp,
    /** Called after each successful read. */
    onRefresh: (listener: () => void): void => void listeners.push(listener),
    /** Includes draining instances, which still have rooms. */
    origins: (): string[] => [...pods.values()].map(({ origin }) => origin),
    /** The instances that take requests without a room. */
    openOrigins: (): readonly string[] => openOrigins,
    isDraining: (origin: string): boolean =>
      [...pods.values()].some((pod) => pod.isDraining && pod.origin === origin),
    /** Reads the lease of an unknown instance, which may have taken its first room since the last refresh. */
    find(podId: string): string | undefined | Promise<string | undefined> {
      const pod = pods.get(podId)
      if (pod) return pod.origin
      return isUp ? readLease(podId) : (originByName(podId) ?? readLease(podId))
    },
  }
}

async function readLeases(redis: Redis): Promise<Map<string, Pod>> {
  const podIds = await redis.smembers(keys.pods)
  const texts = podIds.length > 0 ? await redis.mget(podIds.map(keys.podLease)) : []
  return new Map(
    podIds.flatMap((podId, index) => {
      const pod = podIn(texts[index])
      return pod ? [[podId, pod] as const] : []
    }),
  )
}

function podIn(text: string | null | undefined): Pod | undefined {
  const lease = parseJson(PodLease, text)
  const origin = lease && parseOrigin(lease.address)
  return origin === undefined ? undefined : { origin, isDraining: lease?.draining ?? false }
}
