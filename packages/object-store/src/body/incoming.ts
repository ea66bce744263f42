import type { IncomingMessage } from 'node:http'
import { S3Error } from '../http/s3-error.ts'
import { watchSilence } from '../http/silence.ts'

const events = ['readable', 'end', 'close', 'error'] as const

/**
 * The bytes of a request as they arrive. An upload may take as long as it likes while bytes flow; silence ends it. Not
 * `for await` over the message itself: leaving that loop destroys the connection, and the refusal never arrives.
 */
export async function* chunksOf(message: IncomingMessage, idleMs: number): AsyncGenerator<Buffer> {
  let wake = (): void => undefined
  const onEvent = (): void => wake()
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
      // Only while we wait: when we are busy storing, the silence is ours.
      await new Promise<void>((resolve, reject) => {
        const silence = watchSilence(idleMs, () => reject(new S3Error('RequestTimeout')))
        wake = () => {
          silence.stop()
          resolve()
        }
      })
    }
  } finally {
    for (const event of events) message.off(event, onEvent)
  }
}
