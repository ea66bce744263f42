import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuse } from '../answer.ts'
import type { Failure, Question } from '../upstream/connection.ts'
import type { Pools } from '../upstream/pools.ts'
import { refusalFor } from './failure.ts'
import { Relay } from './relay.ts'

/** A request with all that a backend is to get of it. */
export interface Passage {
  request: IncomingMessage
  response: ServerResponse
  path: string
  /** As lines of text. */
  headers: string
  expectsContinue: boolean
}

export type Forward = ReturnType<typeof createForward>

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Passes requests on and answers back, both as streams. */
export function createForward(pools: Pools, onUnreachable: (origin: string, error: Error) => void) {
  return async (passage: Passage, origins: readonly string[]): Promise<void> => {
    const { response, path } = passage
    const question = questionOf(passage)
    const isSafe = safeMethods.has(question.method) && !question.bodyOf
    if (question.bodyOf && passage.expectsContinue) response.writeContinue()

    const send = (origin: string, isAnew: boolean) =>
      new Promise<Failure | undefined>((settle) => {
        if (response.destroyed) return settle(undefined)
        const relay = new Relay(response, settle)
        relay.from(pools.to(origin).ask(question, relay, isAnew))
      })

    for (const [attempt, origin] of origins.entries()) {
      let failure = await send(origin, false)
      // That a backend closes a connection which nobody uses says nothing of the backend.
      if (failure?.wasKept && isSafe && refusalFor(failure.error).code === 'BAD_GATEWAY')
        failure = await send(origin, true)
      if (!failure) return
      const refusal = refusalFor(failure.error)
      if (refusal.code === 'BAD_GATEWAY') onUnreachable(origin, failure.error)
      // A slow answer is not asked for twice: the next one would be as slow, and the client has waited enough.
      const mayRepeat = refusal.code === 'BAD_GATEWAY' && (isSafe || !failure.wasSent)
      const isLast = !mayRepeat || attempt + 1 === origins.length
      if (isLast) return refuse(response, path, refusal)
    }
  }
}

function questionOf({ request, path, headers }: Passage): Question {
  const method = request.method ?? 'GET'
  const { 'transfer-encoding': coding, 'content-length': length } = request.headers
  const framing = coding === undefined ? '' : 'transfer-encoding: chunked\r\n'
  const head = `${method} ${path} HTTP/1.1\r\n${headers}${framing}\r\n`
  const hasBody = coding !== undefined || Number(length ?? 0) > 0
  return hasBody ? { method, head, bodyOf: request } : { method, head }
}
