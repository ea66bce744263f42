import type { EventEmitter } from 'node:events'
import { createFairLine } from '@atrium/program'

export interface LimiterOptions {
  /** How many may be active at the same time. */
  maxActive: number
  /** How many may wait. Beyond that, the newest of the address with the most waiting is refused at once. */
  maxQueued: number
  /** How long anyone waits before being refused. */
  queueTimeoutMs: number
}

interface Waiter {
  address: string
  /** Called once, unless the waiter leaves the queue first. */
  onDecided(isAdmitted: boolean): void
  timeout?: NodeJS.Timeout
}

export type Limiter = ReturnType<typeof createLimiter>

/** Bounds how much happens at the same time. Addresses in the queue take turns; within an address, first come first served. */
export function createLimiter({ maxActive, maxQueued, queueTimeoutMs }: LimiterOptions) {
  let active = 0
  const queue = createFairLine<Waiter>(maxQueued)

  function refuse(waiter: Waiter): void {
    clearTimeout(waiter.timeout)
    waiter.onDecided(false)
  }

  return {
    /** After `true`, call `release` once. */
    tryAcquire(): boolean {
      if (active >= maxActive) return false
      active++
      return true
    },
    /** For after `tryAcquire` returned false. */
    enqueue(waiter: Waiter): void {
      waiter.timeout = setTimeout(() => {
        queue.remove(waiter.address, waiter)
        refuse(waiter)
      }, queueTimeoutMs)
      const displaced = queue.add(waiter.address, waiter)
      if (displaced) refuse(displaced)
    },
    leaveQueue(waiter: Waiter): void {
      clearTimeout(waiter.timeout)
      queue.remove(waiter.address, waiter)
    },
    /** Hands the slot to the next waiter, if there is one. */
    release(): void {
      const next = queue.take()
      if (next === undefined) {
        active--
        return
      }
      clearTimeout(next.timeout)
      next.onDecided(true)
    },
    isIdle: (): boolean => active === 0 && queue.size() === 0,
  }
}

/**
 * Almost always true at once; otherwise waits. False when that took too long, the queue is full, or `requester` emitted
 * `close`.
 */
export function acquire(limiter: Limiter, address: string, requester: EventEmitter): true | Promise<boolean> {
  return limiter.tryAcquire() || waitInQueue(limiter, address, requester)
}

function waitInQueue(limiter: Limiter, address: string, requester: EventEmitter): Promise<boolean> {
  return new Promise((resolve) => {
    const waiter: Waiter = {
      address,
      onDecided(isAdmitted) {
        requester.off('close', onClose)
        resolve(isAdmitted)
      },
    }
    const onClose = () => {
      limiter.leaveQueue(waiter)
      resolve(false)
    }
    requester.once('close', onClose)
    limiter.enqueue(waiter)
  })
}

export type AddressLimiter = ReturnType<typeof createAddressLimiter>

/** A limiter for each client address. Idle addresses take no memory. */
export function createAddressLimiter(options: LimiterOptions) {
  const limiters = new Map<string, Limiter>()

  function limiterOf(address: string): Limiter {
    const known = limiters.get(address)
    if (known) return known
    const limiter = createLimiter(options)
    limiters.set(address, limiter)
    return limiter
  }

  return {
    acquire: (address: string, requester: EventEmitter): true | Promise<boolean> =>
      acquire(limiterOf(address), address, requester),
    /** Call once for each successful `acquire`. */
    release(address: string): void {
      const limiter = limiters.get(address)
      limiter?.release()
      if (limiter?.isIdle()) limiters.delete(address)
    },
  }
}
