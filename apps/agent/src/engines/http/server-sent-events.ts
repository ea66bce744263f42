import { createLineCutter } from '@atrium/model-checks'
import { EngineFailed } from '../engine.ts'

/** One event has at most this many characters; a model server sends a few hundred. */
const longestEvent = 1_000_000
/** Far more than an answer that fits any context. */
const longestStream = 64_000_000

/**
 * The data of server-sent events. llama-server used to send errors in a field `error` instead of `data`; both are
 * data here.
 */
export async function* readEvents(body: AsyncIterable<Uint8Array>, who: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const lines = createLineCutter()
  let data: string[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > longestStream) throw new EngineFailed(502, `${who} does not stop streaming.`)
    const ended = lines.add(decoder.decode(piece, { stream: true }))
    if (lines.restChars > longestEvent) throw new EngineFailed(502, `${who} sent an event that is too long.`)
    for (const line of ended) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n')
        data = []
        continue
      }
      const field = /^(?:data|error): ?(.*)$/.exec(line)
      if (field?.[1] !== undefined) data.push(field[1])
      if (data.length > maxLines) throw new EngineFailed(502, `${who} sent an event that is too long.`)
    }
  }
  // Some servers end without the last empty line.
  const last = /^data: ?(.*)$/.exec(lines.rest())?.[1]
  if (last !== undefined) data.push(last)
  if (data.length > 0) yield data.join('\n')
}

const maxLines = 1_000
