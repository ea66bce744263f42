import { ApiRefused, NoAnswer, NotSafe } from '@atrium/client'
import { outcomeNames } from '@atrium/contract'
import { texts } from '../../text/participant.ts'
import { refusalText, refusalTextOf } from '../refusal-text.ts'
import { PartMissing } from './load-room-bundle.ts'
import type { Stage, Stopped } from './stage.ts'

/** Tells participants how their study ended: by its outcome, or by the reason why the wait ended. */
export function outcomeText(outcome: string): string {
  const { outcomes, otherOutcome } = texts().done
  return (Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined) ?? otherOutcome
}

/**
 * Whether it is a code that somebody has to hand in. Where the study has none for an outcome, the platform sends the
 * outcome itself instead, which nobody needs to copy.
 */
export const isRealCode = (code: string | null, outcome: string): code is string =>
  code !== null && code !== '' && code !== outcome && !(outcomeNames as readonly string[]).includes(code)

/** Why somebody cannot take part, as the page that tells them so. */
export function stoppedBy(error: unknown): Stopped {
  const { tryAgain: remedy, unreachable, unexpected: title } = texts().stopped
  if (error instanceof PartMissing) return broken()
  if (error instanceof NoAnswer) return { kind: 'stopped', ...unreachable, remedy }
  if (error instanceof ApiRefused) return stoppedByCode(error.code, error.message, error.details)
  return { kind: 'stopped', title, message: refusalTextOf(error), remedy }
}

export function stoppedByCode(code: string, message: string, details: Record<string, unknown>): Stopped {
  const { notFound, cannotTakePart, tryAgain } = texts().stopped
  switch (code) {
    case 'EXPERIMENT_CLOSED':
      return { kind: 'stopped', ...closedText(details.reason, message), remedy: null, hasOthers: true }
    case 'EXPERIMENT_NOT_FOUND':
      return { kind: 'stopped', ...notFound, remedy: null, hasOthers: true }
    default:
      return { kind: 'stopped', title: cannotTakePart, message: refusalText(code, message), remedy: tryAgain }
  }
}

function closedText(reason: unknown, message: string): { title: string; message: string } {
  const { full, alreadyCompleted, notOpen } = texts().stopped
  switch (reason) {
    case 'full':
      return full
    case 'already_completed':
      return alreadyCompleted
    case 'status':
      return notOpen
    default:
      return { title: notOpen.title, message: refusalText('EXPERIMENT_CLOSED', message) }
  }
}

/** People who reload the page after the end see how it ended, with the code that they need to be paid. */
export function endedBefore(error: unknown, withdraw: () => Promise<void>): Done | undefined {
  if (!(error instanceof ApiRefused) || error.code !== 'EXPERIMENT_CLOSED') return undefined
  const { outcome, completionCode, redirectUrl, withdrawal } = error.details
  const payment = paymentIn(error.details)
  const { deletes } = Object(withdrawal) as { deletes?: 'identity' | 'all' }
  return typeof outcome === 'string' && typeof completionCode === 'string' && typeof redirectUrl === 'string'
    ? withWithdrawal({ kind: 'done', outcome, completionCode, redirectUrl, ...payment }, deletes, withdraw)
    : undefined
}

type Done = Extract<Stage, { kind: 'done' }>

/** Details of a refusal are not parsed, so that an older page can read those of a newer server. */
function paymentIn({ payment }: Record<string, unknown>): Pick<Done, 'payment'> {
  const { amount, currency, rounds } = Object(payment) as Record<string, unknown>
  if (typeof amount !== 'number' || typeof currency !== 'string') return {}
  const numbers = Array.isArray(rounds) ? rounds.filter((round) => typeof round === 'number') : undefined
  return { payment: { amount, currency, ...(numbers && { rounds: numbers }) } }
}

export const withWithdrawal = (
  done: Done,
  deletes: 'identity' | 'all' | undefined,
  confirm: () => Promise<void>,
): Done => (deletes ? { ...done, withdrawal: { deletes, confirm } } : done)

export const replacedByOtherTab = (): Stopped => ({ kind: 'stopped', ...texts().stopped.otherTab })

/** The platform was reached, so that a reload helps and trying again does not. */
export const broken = (): Stopped => ({ kind: 'stopped', ...texts().stopped.broken, reloads: true })

export const unknownRoom = (): Stopped => ({ kind: 'stopped', ...texts().stopped.unknownRoom, remedy: null })

export function notCompleted(error: unknown): Stopped {
  const { notCompleted: text, tryAgain: remedy } = texts().stopped
  return { kind: 'stopped', title: text.title, message: text.message(refusalTextOf(error)), remedy }
}

/** No network, an instance that restarts: it is worth trying again. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof NotSafe ||
  error instanceof NoAnswer ||
  (error instanceof ApiRefused && (error.status >= 500 || error.status === 429))
