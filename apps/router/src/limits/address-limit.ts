import type { EventEmitter } from 'node:events'
import { createTurnstile, enterInTurn, type Turnstile, type TurnstileLimits } from './admission.ts'

/** Bounds what is under way for one client address. Addresses for which nothing is under way take no memory. */
export function createAddressLimit(limits: TurnstileLimits) {
  const turnstiles = new Map<string, Turnstile>()

  function turnstileOf(address: string): Turnstile {
    const known = turnstiles.get(address)
    if (known) return known
    const turnstile = createTurnstile(limits)
    turnstiles.set(address, turnstile)
    return turnstile
  }

  return {
    /** True at once, almost always; otherwise it waits for its turn, unless `waiting` closes. */
    enter(address: string, waiting: EventEmitter): boolean | Promise<boolean> {
      return enterInTurn(turnstileOf(address), address, waiting)
    },
    /** To be called once for every turn that has come. */
    leave(address: string): void {
      const turnstile = turnstiles.get(address)
      turnstile?.leave()
      if (turnstile?.isEmpty()) turnstiles.delete(address)
    },
  }
}
