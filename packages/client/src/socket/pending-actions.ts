import type { ErrorCode } from '@atrium/contract'
import { backoffMs } from '../backoff.ts'
import { type Clock, createRests } from '../clock.ts'
import { RoomRefused } from '../errors.ts'
import { isErrorCode } from '../http.ts'
import { isRecord } from '../records.ts'

interface PendingAction {
  name: string
  payload: object
}

interface MeasuredAction extends PendingAction {
  /**
   * Part of the payload until the server refuses it. Servers of the previous release refuse names that they do not know, and
   * what somebody did matters more than what was measured of it.
   */
  measured?: object
}

interface Waiting<Result> extends MeasuredAction {
  refusals: number
  resolve(result: Result): void
  reject(error: Error): void
}

type Answer<Result> =
  | { ok: true; result: Result }
  | { ok: false; error: { code: ErrorCode; message: string } }

export interface PendingActionsDeps<Result> {
  clock: Clock
  random: () => number
  isConnected(): boolean
  /** Sends one attempt. */
  emit(action: PendingAction, acknowledge: (answer: unknown) => void): void
  /** The result in a positive acknowledgement; undefined when it does not match the contract. */
  resultOf(answer: Record<string, unknown>): Result | undefined
  onChange(): void
}

const attemptPatienceMs = 5_000
/** Transient: these pass by themselves, or with the next connection. All others are final. */
const passing = new Set<ErrorCode>([
  'RATE_LIMITED',
  'UNAVAILABLE',
  'ROOM_ELSEWHERE',
  'SESSION_EXPIRED',
  'SESSION_INVALID',
])
/** A server error may be transient; if it is not, it must not hold up all later actions. */
const maxInternalErrors = 3

/**
 * Actions on their way to the server: in order, one at a time, each repeated unchanged until it is acknowledged. One at
 * a time, because of two in flight the first could be lost and arrive after the second.
 */
export function createPendingActions<Result>(deps: PendingActionsDeps<Result>) {
  const { clock, random } = deps
  const queue: Waiting<Result>[] = []
  const rests = createRests(clock)
  let isRunning = false
  let cutAttempt: (() => void) | undefined

  /** The acknowledgement, or null when there was none in time or the connection broke. */
  function attempt(action: Waiting<Result>): Promise<Answer<Result> | null> {
    return new Promise((resolve) => {
      const callOff = clock.after(attemptPatienceMs, () => resolve(null))
      cutAttempt = () => {
        callOff()
        resolve(null)
      }
      const { name, payload, measured } = action
      deps.emit({ name, payload: { ...payload, ...measured } }, (answer) => {
        callOff()
        resolve(answerOf(answer, deps.resultOf))
      })
    })
  }

  function finish(action: Waiting<Result>, end: () => void): void {
    const index = queue.indexOf(action)
    if (index >= 0) queue.splice(index, 1)
    end()
    deps.onChange()
  }

  async function handle(action: Waiting<Result>, answer: Answer<Result>): Promise<void> {
    if (answer.ok) return finish(action, () => action.resolve(answer.result))
    const { code, message } = answer.error
    if (code === 'VALIDATION_FAILED' && action.measured) return void delete action.measured
    action.refusals++
    const mayPass = passing.has(code) || (code === 'INTERNAL' && action.refusals < maxInternalErrors)
    if (!mayPass) return finish(action, () => action.reject(new RoomRefused(code, message)))
    await rests.rest(backoffMs(action.refusals, random), 'hurry')
  }

  async function run(): Promise<void> {
    if (isRunning) return
    isRunning = true
    try {
      for (let [action] = queue; action && deps.isConnected(); [action] = queue) {
        const answer = await attempt(action)
        if (answer) await handle(action, answer)
      }
    } finally {
      isRunning = false
    }
  }

  return {
    count: (): number => queue.length,
    add(action: MeasuredAction): Promise<Result> {
      return new Promise((resolve, reject) => {
        queue.push({ ...action, refusals: 0, resolve, reject })
        deps.onChange()
        void run()
      })
    },
    /** The server is back: continue. */
    resume(): void {
      rests.call('hurry')
      void run()
    },
    /** The connection broke: what is in flight will not be acknowledged on it. */
    interrupt(): void {
      cutAttempt?.()
    },
    /** Nothing more will be sent. */
    rejectAll(error: Error): void {
      for (const action of queue.splice(0)) action.reject(error)
      cutAttempt?.()
      rests.call('close')
      deps.onChange()
    },
  }
}

/** An acknowledgement that does not match the contract is ignored. */
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
