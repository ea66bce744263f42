import type { IncomingMessage } from 'node:http'
import { Refusal } from './refusal.ts'

/** The body as text. A larger one is refused as soon as it says its length, or has been longer. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<string> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity')
    throw new Refusal('unsupported_encoding', 'Send the body without a content encoding.')
  const tooLarge = () => new Refusal('request_too_large', `The body has more than ${maxBytes} bytes.`)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    request.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > maxBytes) reject(tooLarge())
      else pieces.push(piece)
    })
    request.once('end', () => resolve(Buffer.concat(pieces).toString('utf8')))
    const breakOff = () => {
      if (!request.readableEnded) reject(new Refusal('invalid_request', 'The body broke off.'))
    }
    request.once('error', breakOff)
    request.once('close', breakOff)
  })
}

/**
 * Reads on after a refusal, so that the client sees it instead of a broken connection; but not forever.
 */
export function discardBody(request: IncomingMessage, maxBytes: number): void {
  if (request.readableEnded) return
  let bytes = 0
  request.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > maxBytes) request.destroy()
  })
  request.on('error', () => undefined)
  request.resume()
}

/** Settles when the body has been read and forgotten, is larger than `maxBytes`, broke off, or took too long. */
export function bodyDiscarded(request: IncomingMessage, maxBytes: number, ms: number): Promise<void> {
  if (request.readableEnded) return Promise.resolve()
  return new Promise((resolve) => {
    let bytes = 0
    const limit = setTimeout(resolve, ms)
    const settle = () => {
      clearTimeout(limit)
      resolve()
    }
    request.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > maxBytes) settle()
    })
    for (const event of ['end', 'error', 'close']) request.once(event, settle)
    request.resume()
  })
}
