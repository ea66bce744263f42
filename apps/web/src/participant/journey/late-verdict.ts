import type { RoomEvent, StateView } from '@atrium/contract'
import { texts } from '../../text/participant.ts'

/** What was shown for less than this has not been read. */
const readableMs = 4_000

/**
 * How somebody did, where the state ended with their answer, as it does for the last of a group: the page that follows
 * says it.
 */
export function createLateVerdict() {
  let newest: { text: string; at: number } | null = null
  let late: string | null = null
  return {
    /** `former` is the state before the event. */
    follow(event: RoomEvent, former: StateView | null | undefined): void {
      if (event.type === 'result') newest = { text: verdictText(event.result), at: event.at }
      if (event.type !== 'state_entered') return
      const isUnread = newest !== null && event.at - newest.at < readableMs && former?.endsOn !== 'button'
      late = isUnread && newest?.text ? newest.text : null
      newest = null
    },
    text: () => late,
  }
}

/** Empty where there is no verdict, or where it is not the last word. */
function verdictText({ passed, attemptsLeft, correct }: Readonly<Record<string, unknown>>): string {
  const { check, choice } = texts().views
  if (passed === true) return check.passed
  if (passed === false) return attemptsLeft === 0 ? check.failed : ''
  return typeof correct === 'boolean' ? (correct ? choice.right : choice.wrong) : ''
}
