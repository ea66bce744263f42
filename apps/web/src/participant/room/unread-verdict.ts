import type { RoomSnapshot } from '@atrium/contract'
import { texts } from '../../text/participant.ts'

/**
 * How somebody did in the state before, where it ended before they could read it, as it does for the last of a group. Null
 * where there is no verdict, or where it is not the last word.
 */
export function unreadVerdict({ unread }: RoomSnapshot['self']): string | null {
  if (!unread) return null
  const { passed, attemptsLeft, correct } = unread.result
  const { check, choice } = texts().views
  if (passed === true) return check.passed
  if (passed === false) return attemptsLeft === 0 ? check.failed : null
  if (typeof correct !== 'boolean') return null
  return correct ? choice.right : choice.wrong
}
