import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from '../operations/store.ts'
import { watchSilence } from './silence.ts'

/** How long a client that is still sending may go on after our answer. */
const lingerMs = 5_000

/** Sends a reply to the end. A client that leaves, or does not read for `idleMs`, ends it early. */
export async function sendReply(
  message: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  idleMs: number,
): Promise<void> {
  const { status, headers = {}, body, stream } = reply
  try {
    if (response.destroyed) return
    const length = body === undefined ? undefined : { 'content-length': String(Buffer.byteLength(body)) }
    // Without a body and its length Node would announce chunks.
    const noBody =
      body === undefined && !stream && !('content-length' in headers) && status !== 204 && status !== 304
    response.writeHead(status, { ...headers, ...length, ...(noBody && { 'content-length': '0' }) })
    if (stream) await sendStream(response, stream.bytes, idleMs)
    if (body !== undefined && message.method !== 'HEAD') response.write(body)
    if (!message.complete) await dropRest(message)
    response.end()
  } catch {
    // The head is sent, so the only way to say that the rest will not come is to break off.
    response.destroy()
  } finally {
    await stream?.close()
  }
}

async function sendStream(
  response: ServerResponse,
  bytes: AsyncIterable<Buffer>,
  idleMs: number,
): Promise<void> {
  for await (const chunk of bytes) {
    if (response.destroyed) return
    if (!response.write(chunk)) await untilDrained(response, idleMs)
  }
}

/** Resolves when more can be written or the client has gone. */
function untilDrained(response: ServerResponse, idleMs: number): Promise<void> {
  return new Promise((resolve) => {
    const silence = watchSilence(idleMs, () => response.destroy())
    const done = (): void => {
      silence.stop()
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

/**
 * Reads and drops what is left of a refused body, but not forever. Until then the response must not end: Node closes the
 * connection after it if the client wants that, and a client that is still sending would see a reset, not the answer.
 */
function dropRest(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => message.socket.destroy(), lingerMs)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    message.once('end', done)
    message.once('close', done)
    if (message.destroyed) done()
    else message.resume()
  })
}
