import type { IncomingMessage } from 'node:http'
import { S3Error } from '../http/s3-error.ts'

/**
 * The bytes of a request as they arrive. An upload may take as long as it likes while bytes flow; silence ends it. Not
 * `for await` over the message itself: leaving that loop destroys the connection, and the refusal never arrives.
 */
export async function* chunksOf(message: IncomingMessage, idleMs: number): AsyncGenerator<Buffer> {
  let wake = (): void => undefined
  let isWaiting = false
  let isSilent = false
  const timer = setTimeout(() => {
    // While we are busy storing, the silence is ours.
    isSilent = isWaiting
    if (isWaiting) wake()
    else timer.refresh()
  }, idleMs)
  const onEvent = (): void => wake()
  const events = ['readable', 'end', 'close', 'error'] as const
  for (const event of events) message.on(event, onEvent)
  try {
    while (true) {
      const chunk: Buffer | null = message.read()
      if (chunk !== null) {
        yield chunk
        continue
      }
      if (message.readableEnded) return
      if (message.destroyed) throw new S3Error('IncompleteBody')
      if (isSilent) throw new S3Error('RequestTimeout')
      timer.refresh()
      isWaiting = true
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      isWaiting = false
    }
  } finally {
    clearTimeout(timer)
    for (const event of events) message.off(event, onEvent)
  }
}
