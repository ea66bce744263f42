import { setTimeout as delay } from 'node:timers/promises'

/**
 * A breath between two actions of a simulated person or client. Nothing may depend on how long it is: whoever wants to
 * know that something has happened uses `waitUntil` (R41).
 */
export const pace = async (ms: number): Promise<void> => {
  await delay(ms)
}
