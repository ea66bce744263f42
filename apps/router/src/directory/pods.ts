import { keys, PodLease } from '@atrium/contract'
import type { Redis } from 'ioredis'
import { originIn } from './origin.ts'
import { parseAs } from './parse.ts'

interface Pod {
  origin: string
  isDraining: boolean
}

interface PodsParts {
  redis: Redis
  /** Where a pod without a lease is, if its address is configured. */
  named(podId: string): string | undefined
  now(): number
}

export type Pods = ReturnType<typeof watchPods>

/** A lease lapses 1.5 s after its pod, so a dead pod is out of the list two seconds after its death. */
const refreshEveryMs = 500
const emptyForMs = 3_000

/**
 * The pods with a live lease, read anew twice a second. While Redis is away the last list stands: pods do not die
 * because Redis did.
 */
export function watchPods({ redis, named, now }: PodsParts) {
  let pods = new Map<string, Pod>()
  let openOrigins: string[] = []
  let isUp = false
  /** Since when Redis answers, but nobody is there. */
  let emptySince: number | undefined
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  const listeners: (() => void)[] = []

  function believe(found: Map<string, Pod>): void {
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
      // None at once is not the death of all pods: Redis has started empty, and they need a moment to say so.
      if (emptySince === undefined || now() - emptySince >= emptyForMs) believe(found)
    } catch {
      isUp = false // The connection reports why.
      emptySince = undefined
    }
    if (!isStopped) timer = setTimeout(refresh, refreshEveryMs)
  }

  async function ask(podId: string): Promise<string | undefined> {
    const found = podIn(await redis.get(keys.podLease(podId)).catch(() => null))
    if (found) pods.set(podId, found)
    return found?.origin ?? named(podId)
  }

  return {
    /** Back after the first look, whatever it found. */
    start: refresh,
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
    isRedisUp: (): boolean => isUp,
    /** After each look that succeeded. */
    onRefresh: (listener: () => void): void => void listeners.push(listener),
    /** All of them, the draining ones too: they still have rooms. */
    origins: (): string[] => [...pods.values()].map(({ origin }) => origin),
    /** Those that take what belongs to no room. */
    openOrigins: (): readonly string[] => openOrigins,
    isDraining: (origin: string): boolean =>
      [...pods.values()].some((pod) => pod.isDraining && pod.origin === origin),
    /** A pod may have taken its first room before we looked again, hence the second question. */
    find(podId: string): string | undefined | Promise<string | undefined> {
      const pod = pods.get(podId)
      if (pod) return pod.origin
      return isUp ? ask(podId) : named(podId)
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
  const lease = parseAs(PodLease, text)
  const origin = lease && originIn(lease.address)
  return origin === undefined ? undefined : { origin, isDraining: lease?.draining ?? false }
}
