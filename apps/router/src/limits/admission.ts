import type { EventEmitter } from 'node:events'
import { createFairLine } from '@atrium/program'

export interface TurnstileLimits {
  /** How many may be inside at the same time. */
  most: number
  /** How many may wait in line. Beyond that, the newest of the address with most in it is refused at once. */
  mostWaiting: number
  /** How long anyone waits in line before being refused. */
  waitMs: number
}

/** Someone in line. Called back once, unless the line is left before: with whether the turn has come. */
interface Waiting {
  address: string
  onTurn(isAdmitted: boolean): void
  tooLate?: NodeJS.Timeout
}

export type Turnstile = ReturnType<typeof createTurnstile>

/** Lets a bounded number in at a time. In line, addresses take turns, each with those first who came first. */
export function createTurnstile({ most, mostWaiting, waitMs }: TurnstileLimits) {
  let inside = 0
  const line = createFairLine<Waiting>(mostWaiting)

  function refuse(waiting: Waiting): void {
    clearTimeout(waiting.tooLate)
    waiting.onTurn(false)
  }

  return {
    /** True: inside at once; call `leave` later. */
    enter(): boolean {
      if (inside >= most) return false
      inside++
      return true
    },
    /** After `enter` said no. */
    wait(waiting: Waiting): void {
      waiting.tooLate = setTimeout(() => {
        line.remove(waiting.address, waiting)
        refuse(waiting)
      }, waitMs)
      const refused = line.add(waiting.address, waiting)
      if (refused) refuse(refused)
    },
    leaveLine(waiting: Waiting): void {
      clearTimeout(waiting.tooLate)
      line.remove(waiting.address, waiting)
    },
    /** The next in line takes the place. */
    leave(): void {
      const next = line.take()
      if (next === undefined) {
        inside--
        return
      }
      clearTimeout(next.tooLate)
      next.onTurn(true)
    },
    isEmpty: (): boolean => inside === 0 && line.size() === 0,
  }
}

/**
 * Inside at once, almost always; otherwise it waits in line. False when it took too long, the line is full, or the one
 * who waits has gone (and emitted `close`).
 */
export function enterInTurn(
  turnstile: Turnstile,
  address: string,
  emitter: EventEmitter,
): true | Promise<boolean> {
  return turnstile.enter() || waitForTurn(turnstile, address, emitter)
}

function waitForTurn(turnstile: Turnstile, address: string, emitter: EventEmitter): Promise<boolean> {
  return new Promise((resolve) => {
    const waiting: Waiting = {
      address,
      onTurn(isAdmitted) {
        emitter.off('close', onClose)
        resolve(isAdmitted)
      },
    }
    const onClose = () => {
      turnstile.leaveLine(waiting)
      resolve(false)
    }
    emitter.once('close', onClose)
    turnstile.wait(waiting)
  })
}
