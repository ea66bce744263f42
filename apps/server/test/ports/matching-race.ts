import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export const groupSize = 4

/** Whether a matcher proposes those who have waited longest, or random people, so that groups overlap. */
export type ProposalOrder = 'by_arrival' | 'at_random'

export interface MatcherReport {
  claims: number
  refusals: number
}

const program = fileURLToPath(new URL('./matcher-process.ts', import.meta.url))

/** Starts the matchers, releases them together once all have read the whole queue, and waits until they are done. */
export async function race(url: string, matchers: number, order: ProposalOrder): Promise<MatcherReport[]> {
  const children = Array.from({ length: matchers }, (_, at) =>
    fork(program, [url, String(at), order], { execArgv: [] }),
  )
  try {
    await Promise.all(children.map(nextMessage))
    const reports = children.map(nextMessage)
    for (const child of children) child.send('go')
    return (await Promise.all(reports)) as MatcherReport[]
  } finally {
    for (const child of children) child.kill()
  }
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a matcher ended too early, with ${code}`)
  })
  const [message] = await Promise.race([once(child, 'message'), ended])
  return message
}
