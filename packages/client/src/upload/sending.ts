import type { Clock } from '../clock.ts'
import type { UploadAnswer, UploadRequest, UploadSource } from './upload-source.ts'

/** Longer than a store needs to write a part to its disk; a connection that moves nothing for so long is dead. */
const noProgressMs = 120_000

/** Sends bytes of the file. Rejects if there is no answer, nothing moves any more, or the signal says stop. */
export async function sendWatched(
  source: Pick<UploadSource, 'send'>,
  request: UploadRequest,
  { clock, signal, onSent }: { clock: Clock; signal: AbortSignal; onSent(bytes: number): void },
): Promise<UploadAnswer> {
  const attempt = new AbortController()
  const stop = (): void => attempt.abort()
  let callOff = clock.after(noProgressMs, stop)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await source.send(request, {
      signal: attempt.signal,
      onSent(bytes) {
        callOff()
        callOff = clock.after(noProgressMs, stop)
        onSent(bytes)
      },
    })
  } finally {
    callOff()
    signal.removeEventListener('abort', stop)
  }
}

/** What an object store says about a refusal, in XML; ours and others agree on `<Message>`. */
export const messageIn = (text: string): string | undefined =>
  /<Message>([^<]{1,300})<\/Message>/.exec(text.slice(0, 10_000))?.[1]
