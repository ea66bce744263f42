import { type ErrorCode, participantRoutes } from '@atrium/contract'
import { type Api, type ApiResponse, codeOf, waitUntil } from '@atrium/testkit'
import type { Session } from './cast.ts'

/** Waits until the server behind `api` refuses the session with `code`, and returns that refusal. */
export async function refusedSoon(api: Api, session: Session, code: ErrorCode): Promise<ApiResponse> {
  let answer: ApiResponse | undefined
  await waitUntil(
    async () => {
      answer = await api.call(participantRoutes.eventsV4, { session, body: {} })
      return codeOf(answer) === code || `${answer.status} ${codeOf(answer)}`
    },
    // A session may make 100 calls a minute.
    { everyMs: 100 },
  )
  if (answer === undefined) throw new Error('nothing was asked')
  return answer
}
