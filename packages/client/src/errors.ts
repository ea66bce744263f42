import type { ErrorCode, WaitingEnded } from '@atrium/contract'

/** The platform refused the request. `code` is from the contract's catalogue, or UNKNOWN when something else responded. */
export class ApiRefused extends Error {
  override readonly name = 'ApiRefused'
  readonly code: ErrorCode | 'UNKNOWN'
  readonly status: number
  readonly details: Record<string, unknown>
  readonly retryAfterMs: number | undefined

  constructor(answer: {
    code: ErrorCode | 'UNKNOWN'
    message: string
    status: number
    details: Record<string, unknown>
    retryAfterMs: number | undefined
  }) {
    super(answer.message)
    this.code = answer.code
    this.status = answer.status
    this.details = answer.details
    this.retryAfterMs = answer.retryAfterMs
  }
}

/** No response: no network, a closed connection, or a timeout. The request may have taken effect. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Something that needs a session was called before `join`. */
export class NotJoined extends Error {
  override readonly name = 'NotJoined'
  constructor() {
    super('Join an experiment first.')
  }
}

/** The experiment requires consent first: call `giveConsent` or `declineConsent`. Nothing has been recorded. */
export class ConsentRequired extends Error {
  override readonly name = 'ConsentRequired'
  constructor() {
    super('This study asks for consent first. Nothing else is recorded before it is given.')
  }
}

/** The participation cannot continue here: it was refused, taken over by another tab, or closed. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly reason: 'refused' | 'contested' | 'replaced' | 'closed'

  constructor(reason: Stopped['reason'], message: string, cause?: unknown) {
    super(message, { cause })
    this.reason = reason
  }
}

/** What was recorded is not on the server yet. */
export class NotSafe extends Error {
  override readonly name = 'NotSafe'
  readonly pending: number
  readonly quarantined: number

  constructor(pending: number, quarantined: number, lastError: Error | undefined) {
    const why = lastError ? ` Last problem: ${lastError.message}` : ''
    super(`${pending} of the recorded events or actions are not safe on the server yet.${why}`, {
      cause: lastError,
    })
    this.pending = pending
    this.quarantined = quarantined
  }
}

/** The event id is already in the queue, with different content. */
export class EventIdTaken extends Error {
  override readonly name = 'EventIdTaken'
  constructor(eventId: string) {
    super(`Another event with the id ‘${eventId}’ is waiting to be sent.`)
  }
}

/** The room refused an action; repeating it unchanged will not help. */
export class RoomRefused extends Error {
  override readonly name = 'RoomRefused'
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The connection to the room ended before an action was acknowledged; it may or may not have been stored. */
export class RoomClosed extends Error {
  override readonly name = 'RoomClosed'
}

/** The wait ended without a room: the platform said so (`ended`), or the connection has ended permanently. */
export class WaitingClosed extends Error {
  override readonly name = 'WaitingClosed'
  readonly ended: WaitingEnded | null

  constructor(message: string, ended: WaitingEnded | null = null) {
    super(message)
    this.ended = ended
  }
}

/** The upload cannot go on. Unless it says otherwise, uploading the same file again resumes it. */
export class UploadFailed extends Error {
  override readonly name = 'UploadFailed'
}

/** The upload was aborted, by its `abort` or its signal. */
export class UploadAborted extends Error {
  override readonly name = 'UploadAborted'
  constructor() {
    super('The upload was aborted.')
  }
}

export const asError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))
