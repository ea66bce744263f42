import type { EventEmitter } from 'node:events'

export interface TurnstileLimits {
  /** How many may be inside at the same time. */
  most: number
  /** How many may wait in line; whoever comes after them is refused at once. */
  mostWaiting: number
  /** How long anyone waits in line before being refused. */
  waitMs: number
}

/** Calls back once, unless the line is left before: with whether the turn has come. */
type OnTurn = (isAdmitted: boolean) => void

export type Turnstile = ReturnType<typeof createTurnstile>

/** Lets a bounded number in at a time, first come, first served. */
export function createTurnstile({ most, mostWaiting, waitMs }: TurnstileLimits) {
  let inside = 0
  const line = new Map<OnTurn, NodeJS.Timeout>()

  function leaveLine(onTurn: OnTurn): void {
    clearTimeout(line.get(onTurn))
    line.delete(onTurn)
  }

  return {
    /** True: inside at once; call `leave` later. */
    enter(): boolean {
      if (inside >= most) return false
      inside++
      return true
    },
    /** After `enter` said no. False when the line is full. */
    wait(onTurn: OnTurn): boolean {
      if (line.size >= mostWaiting) return false
      const onTooLate = () => {
        line.delete(onTurn)
        onTurn(false)
      }
      line.set(onTurn, setTimeout(onTooLate, waitMs))
      return true
    },
    leaveLine,
    /** Whoever has waited longest takes the place. */
    leave(): void {
      const [next] = line.keys()
      if (next === undefined) {
        inside--
        return
      }
      leaveLine(next)
      next(true)
    },
    isEmpty: (): boolean => inside === 0 && line.size === 0,
  }
}

/** Waits in line. False when it took too long, the line is full, or the one who waits has gone (and emitted `close`). */
export function waitForTurn(turnstile: Turnstile, waiting: EventEmitter): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isAdmitted: boolean) => {
      waiting.off('close', onClose)
      resolve(isAdmitted)
    }
    const onClose = () => {
      turnstile.leaveLine(settle)
      resolve(false)
    }
    if (turnstile.wait(settle)) waiting.once('close', onClose)
    else resolve(false)
  })
}
