import type { ServerResponse } from 'node:http'
import { Refusal } from './refusal.ts'

/** The client is gone: there is nobody to answer. */
export class ClientGone extends Error {
  override name = 'ClientGone'
}

/** The requests that are being answered, each with a signal that ends its work. */
export interface Requests {
  /** Counts until the response is closed. */
  begin(response: ServerResponse): AbortSignal
  /** Settles when none is left. */
  allEnded(): Promise<void>
  abortAll(because: Refusal): void
}

/** Work ends when the client leaves, when it takes too long, and when the front or the engine ends. */
export function createRequests(timeoutMs: number): Requests {
  const controllers = new Set<AbortController>()
  let onEmpty: (() => void)[] = []
  return {
    begin(response) {
      const controller = new AbortController()
      controllers.add(controller)
      const timer = setTimeout(() => controller.abort(tooLong(timeoutMs)), timeoutMs)
      response.once('close', () => {
        clearTimeout(timer)
        if (!response.writableFinished) controller.abort(new ClientGone())
        controllers.delete(controller)
        if (controllers.size > 0) return
        for (const settle of onEmpty) settle()
        onEmpty = []
      })
      return controller.signal
    },
    allEnded: async () => {
      if (controllers.size > 0) await new Promise<void>((resolve) => onEmpty.push(resolve))
    },
    abortAll(because) {
      for (const controller of controllers) controller.abort(because)
    },
  }
}

/** Made only when it is needed, as all refusals: the stack of an error costs more than parsing a request. */
const tooLong = (timeoutMs: number): Refusal =>
  new Refusal('engine_timeout', `There was no answer within ${timeoutMs / 1000} s.`)

/** True if `work` settles in time. */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  const isInTime = await Promise.race([work.then(() => true), tooLate])
  clearTimeout(timer)
  return isInTime
}
