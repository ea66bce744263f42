import { texts } from '../../../text/participant.ts'

/** Why the participant cannot agree yet; empty once they can. */
export function waitText({ leftMs, mustSeeEnd }: { leftMs: number; mustSeeEnd: boolean }): string {
  const { inSeconds, onceRead, inSecondsOnceRead } = texts().views.consent
  const seconds = Math.ceil(leftMs / 1_000)
  if (seconds <= 0) return mustSeeEnd ? onceRead : ''
  return mustSeeEnd ? inSecondsOnceRead(seconds) : inSeconds(seconds)
}
