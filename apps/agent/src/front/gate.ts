import { Refusal } from './refusal.ts'

export interface GateLoad {
  underWay: number
  queued: number
  /** The most requests that have ever been under way at once. */
  maxInFlight: number
}

export interface Gate {
  /** A place for a request whose body is still arriving; call what it returns when the body is there, or never comes. */
  receive(): () => void
  /** Waits for a place; call what it returns to give the place back. */
  enter(signal: AbortSignal): Promise<() => void>
  /** Refuses those who wait and those who come. */
  close(because: Refusal): void
  load(): GateLoad
}

interface GateOptions {
  parallel: number
  queueLimit: number
  now(): number
}

interface Waiting {
  admit(): void
  refuse(because: Refusal): void
}

const longestRetrySeconds = 60
/** How much the newest request counts in the average duration. */
const newestShare = 0.2

/**
 * `parallel` requests at once, the others in order of arrival, and no more than `queueLimit` of those. Bodies that are arriving count too:
 * each may have megabytes.
 */
export function createGate({ parallel, queueLimit, now }: GateOptions): Gate {
  const waiting = new Set<Waiting>()
  let underWay = 0
  let arriving = 0
  let maxInFlight = 0
  let averageMs = 1_000
  let closedBecause: Refusal | undefined

  const begin = (): (() => void) => {
    underWay += 1
    maxInFlight = Math.max(maxInFlight, underWay)
    const startedAt = now()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      underWay -= 1
      averageMs += newestShare * (now() - startedAt - averageMs)
      const [next] = waiting
      next?.admit()
    }
  }

  /** When the queue will have moved on, at the pace of the last requests. */
  const retryAfterSeconds = (): number => {
    const seconds = Math.ceil((averageMs * (waiting.size + 1)) / parallel / 1000)
    return Math.min(Math.max(seconds, 1), longestRetrySeconds)
  }

  const full = (): Refusal =>
    new Refusal(
      'rate_limit_exceeded',
      `${underWay} requests are under way and ${waiting.size + arriving} wait. Try again later.`,
      { retryAfterSeconds: retryAfterSeconds() },
    )

  return {
    receive() {
      if (closedBecause !== undefined) throw closedBecause
      if (underWay + waiting.size + arriving >= parallel + queueLimit) throw full()
      arriving += 1
      return () => {
        arriving -= 1
      }
    },
    async enter(signal) {
      signal.throwIfAborted()
      if (closedBecause !== undefined) throw closedBecause
      if (underWay < parallel && waiting.size === 0) return begin()
      if (waiting.size >= queueLimit) throw full()
      return new Promise<() => void>((resolve, reject) => {
        const leave = (): void => {
          waiting.delete(place)
          signal.removeEventListener('abort', giveUp)
        }
        const giveUp = (): void => {
          leave()
          reject(signal.reason)
        }
        const place: Waiting = {
          admit() {
            leave()
            resolve(begin())
          },
          refuse(because) {
            leave()
            reject(because)
          },
        }
        waiting.add(place)
        signal.addEventListener('abort', giveUp)
      })
    },
    close(because) {
      closedBecause ??= because
      for (const place of [...waiting]) place.refuse(because)
    },
    load: () => ({ underWay, queued: waiting.size, maxInFlight }),
  }
}
