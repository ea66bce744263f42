import type { ErrorCode } from '@atrium/contract'
import { backoffMs } from '../backoff.ts'
import { type Clock, createRests } from '../clock.ts'
import { RoomRefused } from '../errors.ts'
import { isErrorCode } from '../http.ts'
import { isRecord } from '../records.ts'

export interface PendingAction {
  name: string
  payload: object
}

interface Waiting<Result> extends PendingAction {
  refusals: number
  resolve(result: Result): void
  reject(error: Error): void
}

type Answer<Result> =
  | { ok: true; result: Result }
  | { ok: false; error: { code: ErrorCode; message: string } }

export interface PendingActionsParts<Result> {
  clock: Clock
  random: () => number
  isConnected(): boolean
  /** Sends one attempt. */
  emit(action: PendingAction, acknowledge: (answer: unknown) => void): void
  /** What a positive answer brings; undefined when it is none of the contract's. */
  resultOf(answer: Record<string, unknown>): Result | undefined
  onChange(): void
}

const attemptPatienceMs = 5_000
/** Passes by itself, or with the next connection. The others are the server's last word. */
const passing = new Set<ErrorCode>([
  'RATE_LIMITED',
  'UNAVAILABLE',
  'ROOM_ELSEWHERE',
  'SESSION_EXPIRED',
  'SESSION_INVALID',
])
/** A defect of the server may be a passing one; if not, it must not hold up all later actions. */
const mostInternalErrors = 3

/**
 * Actions on their way to the server: in order, one at a time, each repeated as it is until there is an answer.
 * One at a time, because with two on the way a lost first one would arrive after the second.
 */
export function createPendingActions<Result>(parts: PendingActionsParts<Result>) {
  const { clock, random } = parts
  const queue: Waiting<Result>[] = []
  const rests = createRests(clock)
  let isRunning = false
  let cutAttempt: (() => void) | undefined

  /** The answer, or null when there was none in time or the connection broke. */
  function attempt(action: Waiting<Result>): Promise<Answer<Result> | null> {
    return new Promise((resolve) => {
      const callOff = clock.after(attemptPatienceMs, () => resolve(null))
      cutAttempt = () => {
        callOff()
        resolve(null)
      }
      parts.emit(action, (answer) => {
        callOff()
        resolve(answerOf(answer, parts.resultOf))
      })
    })
  }

  function settle(action: Waiting<Result>, end: () => void): void {
    const index = queue.indexOf(action)
    if (index >= 0) queue.splice(index, 1)
    end()
    parts.onChange()
  }

  async function handle(action: Waiting<Result>, answer: Answer<Result>): Promise<void> {
    if (answer.ok) return settle(action, () => action.resolve(answer.result))
    const { code, message } = answer.error
    action.refusals++
    const mayPass = passing.has(code) || (code === 'INTERNAL' && action.refusals < mostInternalErrors)
    if (!mayPass) return settle(action, () => action.reject(new RoomRefused(code, message)))
    await rests.rest(backoffMs(action.refusals, random), 'hurry')
  }

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    try {
      for (let [action] = queue; action && parts.isConnected(); [action] = queue) {
        const answer = await attempt(action)
        if (answer) await handle(action, answer)
      }
    } finally {
      isRunning = false
    }
  }

  return {
    count: (): number => queue.length,
    add(action: PendingAction): Promise<Result> {
      return new Promise((resolve, reject) => {
        queue.push({ ...action, refusals: 0, resolve, reject })
        parts.onChange()
        void run()
      })
    },
    /** The server is there again: go on. */
    resume(): void {
      rests.call('hurry')
      void run()
    },
    /** The connection broke: an answer to what is on the way will not come on it. */
    interrupt(): void {
      cutAttempt?.()
    },
    /** Nothing more will be sent. */
    rejectAll(error: Error): void {
      for (const action of queue.splice(0)) action.reject(error)
      cutAttempt?.()
      rests.call('close')
      parts.onChange()
    },
  }
}

/** An answer that is none of the contract's is treated as none. */
function answerOf<Result>(
  answer: unknown,
  resultOf: (answer: Record<string, unknown>) => Result | undefined,
): Answer<Result> | null {
  if (!isRecord(answer)) return null
  if (answer.ok === true) {
    const result = resultOf(answer)
    return result === undefined ? null : { ok: true, result }
  }
  if (answer.ok !== false || !isRecord(answer.error)) return null
  const { code, message = '' } = answer.error
  return { ok: false, error: { code: isErrorCode(code) ? code : 'INTERNAL', message: String(message) } }
}
