import type { ClockPong } from '@atrium/contract'
import { type ClockEstimate, type ClockSample, estimateAt, sampleOf, withSample } from './clock.ts'
import type { SteadyClock } from './steady-clock.ts'

/** Server time with fractions of a millisecond, estimated. Undefined until the first ping is answered. */
export interface SyncedClock {
  serverNow(): number | undefined
  /** The server time at a moment of the local monotonic clock, e.g. when a frame is displayed. */
  serverAt(localMs: number): number | undefined
  readonly estimate: ClockEstimate | undefined
}

export interface SyncedClockDeps {
  steady: SteadyClock
  /** Sends one ping; `onPong` is called when it is answered, which may be never. */
  ping(t0: number, onPong: (pong: unknown) => void): void
  onPong(): void
}

/** The best of a few samples is much better than one: 0.1 ms instead of 3 ms on loopback. */
const pingsAtFirst = 8
/** Two, because a single one may be unlucky. */
const pingsLater = 2
const pauseMs = 10_000
/** Between the pings of a burst, so that one busy moment does not spoil all of them. */
const gapMs = 25
const patienceMs = 2_000
/** More than the wall clock is ever adjusted at once in normal operation; the computer has slept. */
const sleptMs = 250

/** Keeps measuring from `start` until `stop`. What was measured stays in use while there is no connection. */
export function createSyncedClock({ steady, ping, onPong }: SyncedClockDeps) {
  let samples: readonly ClockSample[] = []
  /** Used until a new connection has measured as much as the old one had. */
  let former: readonly ClockSample[] = []
  let left = 0
  let run = 0
  let isRunning = false
  let wallAheadMs = steady.wall() - steady.now()
  let callOff = (): void => undefined

  function sendOne(): void {
    callOff()
    const mine = ++run
    const t0 = steady.now()
    // A lost ping must not end the measuring.
    callOff = steady.after(patienceMs, next)
    ping(t0, (answer) => {
      const t3 = steady.now()
      const sample = mine === run && isPong(answer) && answer.t0 === t0 && sampleOf(answer, t3)
      if (!sample) return
      take(sample)
      next()
    })
  }

  function take(sample: ClockSample): void {
    const { samples: kept, hasJumped } = withSample(samples, sample)
    if (hasJumped) {
      former = []
      left = pingsAtFirst
    }
    samples = kept
    if (samples.length >= pingsAtFirst) former = []
    onPong()
  }

  function next(): void {
    callOff()
    left--
    if (left > 0) callOff = steady.after(gapMs, sendOne)
    else callOff = steady.after(pauseMs, () => burst(pingsLater))
  }

  function burst(pings: number): void {
    left = pings
    wallAheadMs = steady.wall() - steady.now()
    sendOne()
  }

  /** After a sleep the estimate is wrong by as long as the computer slept: measure at once. */
  function noticeSleep(): void {
    if (!isRunning || samples.length === 0 || left > 0) return
    if (Math.abs(steady.wall() - steady.now() - wallAheadMs) > sleptMs) burst(pingsAtFirst)
  }

  function estimate(): ClockEstimate | undefined {
    return estimateAt(former.length > 0 ? former : samples, steady.now())
  }

  function serverAt(localMs: number): number | undefined {
    noticeSleep()
    const offsetMs = estimate()?.offsetMs
    return offsetMs === undefined ? undefined : localMs + offsetMs
  }

  const clock: SyncedClock = {
    serverAt,
    serverNow: () => serverAt(steady.now()),
    get estimate() {
      return estimate()
    },
  }
  return {
    clock,
    /** There is a connection, perhaps to another server than before: what it says replaces the former samples. */
    start(): void {
      if (samples.length > 0) former = samples
      samples = []
      isRunning = true
      burst(pingsAtFirst)
    },
    stop(): void {
      isRunning = false
      run++
      left = 0
      callOff()
    },
  }
}

function isPong(answer: unknown): answer is ClockPong {
  if (typeof answer !== 'object' || answer === null) return false
  const { t0, t1, t2 } = answer as Partial<Record<keyof ClockPong, unknown>>
  return [t0, t1, t2].every((time) => typeof time === 'number')
}
