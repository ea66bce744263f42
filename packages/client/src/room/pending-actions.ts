import type { ErrorCode, RoomAck, RoomActionName } from '@atrium/contract'
import { backoffMs } from '../backoff.ts'
import { type Clock, createRests } from '../clock.ts'
import { RoomRefused } from '../errors.ts'
import { isErrorCode } from '../http.ts'

export interface PendingAction {
  name: RoomActionName
  payload: { actionId: string }
}

interface Waiting extends PendingAction {
  refusals: number
  resolve(seq: number): void
  reject(error: Error): void
}

export interface PendingActionsParts {
  clock: Clock
  random: () => number
  isConnected(): boolean
  /** Sends one attempt. */
  emit(action: PendingAction, acknowledge: (answer: unknown) => void): void
  onChange(): void
}

const attemptPatienceMs = 5_000
/** Passes by itself, or with the next connection. The others are the room's last word. */
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
 * Actions on their way to the room: in order, one at a time, each repeated under its id until the room has answered.
 * One at a time, because with two on the way a lost first one would arrive after the second.
 */
export function createPendingActions(parts: PendingActionsParts) {
  const { clock, random } = parts
  const queue: Waiting[] = []
  const rests = createRests(clock)
  let isRunning = false
  let cutAttempt: (() => void) | undefined

  /** The answer, or null when there was none in time or the connection broke. */
  function attempt(action: Waiting): Promise<RoomAck | null> {
    return new Promise((resolve) => {
      const callOff = clock.after(attemptPatienceMs, () => resolve(null))
      cutAttempt = () => {
        callOff()
        resolve(null)
      }
      parts.emit(action, (answer) => {
        callOff()
        resolve(ackOf(answer))
      })
    })
  }

  function settle(action: Waiting, end: () => void): void {
    const index = queue.indexOf(action)
    if (index >= 0) queue.splice(index, 1)
    end()
    parts.onChange()
  }

  async function handle(action: Waiting, ack: RoomAck): Promise<void> {
    if (ack.ok) return settle(action, () => action.resolve(ack.seq))
    const { code, message } = ack.error
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
        const ack = await attempt(action)
        if (ack) await handle(action, ack)
      }
    } finally {
      isRunning = false
    }
  }

  return {
    count: (): number => queue.length,
    add(action: PendingAction): Promise<number> {
      return new Promise((resolve, reject) => {
        queue.push({ ...action, refusals: 0, resolve, reject })
        parts.onChange()
        void run()
      })
    },
    /** The room is there again: go on. */
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
function ackOf(answer: unknown): RoomAck | null {
  if (typeof answer !== 'object' || answer === null || !('ok' in answer)) return null
  if (answer.ok === true && 'seq' in answer && typeof answer.seq === 'number')
    return { ok: true, seq: answer.seq }
  const error = 'error' in answer ? answer.error : undefined
  if (answer.ok !== false || typeof error !== 'object' || error === null) return null
  const code = 'code' in error ? error.code : undefined
  const message = 'message' in error ? String(error.message) : ''
  return { ok: false, error: { code: isErrorCode(code) ? code : 'INTERNAL', message } }
}
