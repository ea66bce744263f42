import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { limits } from '@atrium/contract'
import type { Redis } from 'ioredis'
import { createBreaker } from '../../kernel/breaker.ts'
import type { RateLimiter, RateState } from '../../ports/rate-limiter.ts'
import { createInProcessLimiter } from '../in-process/rate-limiter.ts'
import { defineScript } from './script.ts'
import { countRequests, readWindow } from './scripts/limits.ts'

/** Asking a paused Redis costs a full time-out, so only one request a second tries whether it is back. */
const restMs = 1_000
const trialMs = 1_000

/**
 * Limits shared by all instances. Without Redis each instance counts alone; nobody is refused because of that (R10).
 */
export function createRedisLimiter(redis: Redis): RateLimiter {
  const shared = createSharedLimiter(redis)
  const alone = createInProcessLimiter()
  const breaker = createBreaker({ restMs, trialMs })

  async function ask(question: (limiter: RateLimiter) => Promise<RateState>): Promise<RateState> {
    if (!breaker.mayAsk(performance.now())) return await question(alone)
    try {
      const state = await question(shared)
      breaker.answered()
      return state
    } catch {
      // Safe: whatever went wrong with Redis, the request must not suffer from it, and the connection reports the
      // error.
      breaker.stayedSilent(performance.now())
      return await question(alone)
    }
  }

  return {
    consume: (bucket, key, limit) => ask((limiter) => limiter.consume(bucket, key, limit)),
    peek: (bucket, key, limit) => ask((limiter) => limiter.peek(bucket, key, limit)),
  }
}

type Window = [requests: number, leftMs: number]

/** R48: the key may be an address or a person, whom Redis need not know. */
const keyOf = (bucket: string, key: string): string => `limit:${bucket}:${hash('sha256', key, 'base64url')}`

function createSharedLimiter(redis: Redis): RateLimiter {
  const count = createGroupCount(redis)
  const read = defineScript<Window>(redis, 'atriumReadWindow', readWindow)
  return {
    async consume(bucket, key, limit) {
      const window = await count(keyOf(bucket, key))
      return stateOf(window, limit, window[0] <= limit)
    },
    async peek(bucket, key, limit) {
      return stateOf(await read([keyOf(bucket, key)], []), limit, true)
    },
  }
}

const windowMs = limits.rateWindowSeconds * 1000

const stateOf = ([requests, leftMs]: Window, limit: number, allowed: boolean): RateState => ({
  allowed,
  limit,
  remaining: Math.max(0, limit - requests),
  resetInMs: leftMs < 0 ? windowMs : Math.min(leftMs, windowMs),
})

/**
 * Requests that arrive together are counted in one command: one for each took a seventh of the CPU time that a request
 * with events takes.
 */
function createGroupCount(redis: Redis): (key: string) => Promise<Window> {
  const count = defineScript<Window[]>(redis, 'atriumCountRequests', countRequests)
  let gathering: { keys: string[]; windows: Promise<Window[]> } | undefined

  async function countGroup(keys: string[]): Promise<Window[]> {
    await setImmediate()
    gathering = undefined
    return await count(keys, [limits.rateWindowSeconds])
  }

  return async (key) => {
    if (!gathering) {
      const keys: string[] = []
      gathering = { keys, windows: countGroup(keys) }
    }
    const { keys, windows } = gathering
    const position = keys.push(key) - 1
    return (await windows)[position] as Window
  }
}
