import { setTimeout as delay } from 'node:timers/promises'
import { type ErrorCode, participantRoutes } from '@atrium/contract'
import { type Answer, type Api, codeOf, waitUntil } from '@atrium/testkit'
import type { Session } from './cast.ts'

/** R15: what ends a session reaches every instance within this time. */
const mostMs = 5_000
/** At 20 ms, as `waitUntil` polls, five seconds of asking would exceed the session's 100 calls a minute. */
const askEveryMs = 100

/** Waits until the server behind `api` refuses the session with `code`, and gives back that refusal. */
export async function refusedSoon(api: Api, session: Session, code: ErrorCode): Promise<Answer> {
  let answer: Answer | undefined
  await waitUntil(
    async () => {
      answer = await api.call(participantRoutes.eventsV4, { session, body: {} })
      if (codeOf(answer) === code) return true
      await delay(askEveryMs)
      return `${answer.status} ${codeOf(answer)}`
    },
    { timeoutMs: mostMs },
  )
  if (answer === undefined) throw new Error('nothing was asked')
  return answer
}
