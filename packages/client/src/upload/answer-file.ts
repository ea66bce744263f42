import { participantCalls } from '@atrium/contract'
import { retryDelayMs } from '../backoff.ts'
import { type Clock, createRests } from '../clock.ts'
import { ApiRefused } from '../errors.ts'
import type { DataOf, Http } from '../http.ts'
import { type SessionKeeper, sessionHeaders } from '../session.ts'

export interface AnswerFile {
  componentId: string
  file: Blob
  name: string
}

export interface AnswerFileDeps {
  http: Http
  clock: Clock
  random: () => number
  keeper: SessionKeeper
}

const route = participantCalls.fileV4
/** Half of 256 kbit/s: what a phone has left once its fast volume is used up, shared with whatever else it does. */
const slowestBytesPerMs = 16
/** Beyond the file itself: until the server has stored it. */
const storingMs = 60_000
/** A server where too many files arrive has a place again soon, because everybody else's arrives as well. */
const maxTries = 8

/** Sends a file for an answer. Refusals for want of a place are repeated; anything else is for the participant to see. */
export async function uploadAnswerFile(
  { http, clock, random, keeper }: AnswerFileDeps,
  { componentId, file, name }: AnswerFile,
): Promise<DataOf<typeof route>> {
  const rests = createRests(clock)
  const patienceMs = storingMs + file.size / slowestBytesPerMs
  for (let tries = 1; ; tries++) {
    const form = new FormData()
    form.set('file', file, name)
    try {
      return await keeper.withSession((session) =>
        http(route, { headers: sessionHeaders(session), params: { componentId }, form, patienceMs }),
      )
    } catch (error) {
      const isFull = error instanceof ApiRefused && error.code === 'UNAVAILABLE'
      if (!isFull || tries === maxTries) throw error
      await rests.rest(retryDelayMs(tries, error.retryAfterMs, random), 'close')
    }
  }
}
