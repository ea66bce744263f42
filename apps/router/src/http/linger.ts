import type { ServerResponse } from 'node:http'

/** For the rest of what is being said after one side has ended: an upload nobody wants, a last frame. */
export const lingerMs = 5_000

/**
 * Ends an answer once its request has come to its end. Whoever is still sending when the connection closes sees a reset
 * instead of the answer; so the rest is read and dropped, but not for ever. The last bytes are given as latin1 text:
 * Node joins text with the head into one write, bytes would be a second one.
 */
export function endAfterRequest(response: ServerResponse, last?: string): void {
  const { req: request } = response
  if (request.complete) {
    response.end(last, 'latin1')
    return
  }
  if (last) response.write(last, 'latin1')
  else response.flushHeaders()
  const cut = setTimeout(() => response.end(() => request.socket.destroy()), lingerMs)
  request.once('end', () => response.end())
  request.once('close', () => clearTimeout(cut))
  request.resume()
}
