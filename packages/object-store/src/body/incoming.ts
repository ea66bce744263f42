import type { IncomingMessage } from 'node:http'
import { S3Error } from '../http/s3-error.ts'
import { watchSilence } from '../http/silence.ts'
import type { Place } from './places.ts'

const events = ['readable', 'end', 'close', 'error'] as const
/** On average over the time of an allowed silence. A modem is five times as fast. */
const minBytesPerSecond = 1_024

/**
 * The bytes of a request as they arrive. An upload may take as long as it likes while bytes flow; silence ends it, and so
 * does a trickle. Not `for await` over the message itself: leaving that loop destroys the connection, and the refusal
 * never arrives.
 */
export async function* chunksOf(
  message: IncomingMessage,
  idleMs: number,
  place?: Place,
): AsyncGenerator<Buffer> {
  const pace = createPace(idleMs)
  let wake = (): void => undefined
  const onEvent = (): void => wake()
  for (const event of events) message.on(event, onEvent)
  place?.lost.addEventListener('abort', onEvent)
  try {
    while (true) {
      place?.lost.throwIfAborted()
      const chunk: Buffer | null = message.read()
      if (chunk !== null) {
        pace.received(chunk.length)
        place?.received(chunk.length)
        yield chunk
        continue
      }
      if (message.readableEnded) return
      if (message.destroyed) throw new S3Error('IncompleteBody')
      // Only while we wait: when we are busy storing, the silence is ours.
      const began = performance.now()
      await new Promise<void>((resolve, reject) => {
        const silence = watchSilence(idleMs, () => reject(new S3Error('RequestTimeout')))
        wake = () => {
          silence.stop()
          resolve()
        }
      })
      pace.waited(performance.now() - began)
    }
  } finally {
    for (const event of events) message.off(event, onEvent)
    place?.lost.removeEventListener('abort', onEvent)
  }
}

/** Throws RequestTimeout when the time spent waiting adds up to `idleMs` and too little has arrived in it. */
function createPace(idleMs: number) {
  let waitedMs = 0
  let receivedBytes = 0
  return {
    received(bytes: number): void {
      receivedBytes += bytes
    },
    waited(ms: number): void {
      // One long wait proves nothing: the process may have been stopped meanwhile.
      waitedMs += Math.min(ms, idleMs / 2)
      if (waitedMs < idleMs) return
      if (receivedBytes < (minBytesPerSecond * idleMs) / 1000)
        throw new S3Error('RequestTimeout', 'The body arrived too slowly.')
      waitedMs = 0
      receivedBytes = 0
    },
  }
}
