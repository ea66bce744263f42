import { createInterface } from 'node:readline'
import type { Io } from './io.ts'

/** Asks a question that is answered with y or n. Without somebody to ask, the answer is no. */
export async function askConsent(question: string, io: Io): Promise<boolean> {
  if (!io.isTerminal || io.stdin === undefined) return false
  io.stderr.write(`${question} [y/N] `)
  const lines = createInterface({ input: io.stdin })
  const stop = () => lines.close()
  io.signal.addEventListener('abort', stop, { once: true })
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  lines.close()
  io.signal.removeEventListener('abort', stop)
  io.signal.throwIfAborted()
  return /^y(es)?$/i.test(answer.trim())
}
