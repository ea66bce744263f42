import { LRUCache } from 'lru-cache'
import { type Breaker, createBreaker } from '../../../kernel/breaker.ts'
import type { Clock } from '../../../kernel/clock.ts'

/** Single failures are usual; so many in a row mean that the server is away. */
const maxFailures = 5
const restMs = 15_000
const maxKnown = 1_000

interface Known {
  breaker: Breaker
  failures: number
}

export interface ModelBreakers {
  /** A trial is lost after the time-out of the credential. */
  mayAsk(credentialId: string, timeoutMs: number): boolean
  answered(credentialId: string): void
  /** The call was cut off, which says nothing about the server. */
  released(credentialId: string): void
  failed(credentialId: string): void
}

/**
 * One circuit breaker per credential. While a model server is away, agents fall back at once instead of keeping every
 * room waiting for the full time-out; from time to time one of them tries.
 */
export function createModelBreakers(clock: Clock): ModelBreakers {
  const known = new LRUCache<string, Known>({ max: maxKnown })
  const of = (credentialId: string): Known => {
    const found = known.get(credentialId) ?? {
      breaker: createBreaker({ restMs, trialMs: restMs }),
      failures: 0,
    }
    known.set(credentialId, found)
    return found
  }
  return {
    mayAsk: (credentialId, timeoutMs) => of(credentialId).breaker.mayAsk(clock.now(), timeoutMs),
    answered(credentialId) {
      const one = of(credentialId)
      one.failures = 0
      one.breaker.answered()
    },
    released: (credentialId) => of(credentialId).breaker.released(),
    failed(credentialId) {
      const one = of(credentialId)
      one.failures++
      if (one.failures >= maxFailures) one.breaker.stayedSilent(clock.now())
    },
  }
}
