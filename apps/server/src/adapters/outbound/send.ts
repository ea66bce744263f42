import { type Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { OutboundError } from '../../kernel/outbound-error.ts'
import { hostOf } from './accepted-url.ts'
import { addressRefused } from './public-address.ts'

export interface Sending {
  url: URL
  method: string
  headers: Headers
  body: Uint8Array | undefined
  agent: HttpAgent
  hosted: boolean
  /** Its reason is what the request fails with. */
  signal: AbortSignal
}

const maxHeaderBytes = 16_384
/** Interim replies (1xx). Nobody sends more than one or two, unless to keep us reading. */
const maxInterimReplies = 8
/** Each attempt uses up a connection that the server has closed meanwhile. */
const maxAttempts = 3

/** All that a model server needs. Others would be ours alone: `host`, lengths, encodings. */
const passedOn = ['accept', 'authorization', 'connection', 'content-type']

/**
 * The head of the reply. A request on a kept connection that breaks before any reply is sent again: the server has
 * closed it just then.
 */
export async function send(sending: Sending): Promise<IncomingMessage> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await sendOnce(sending)
    if (outcome.kind === 'replied') return outcome.message
    if (!outcome.wasStale || attempt === maxAttempts) throw outcome.error
  }
}

type Sent =
  | { kind: 'replied'; message: IncomingMessage }
  | { kind: 'failed'; error: unknown; wasStale: boolean }

function sendOnce({ url, method, headers, body, agent, hosted, signal }: Sending): Promise<Sent> {
  return new Promise((resolve) => {
    const outgoing = (url.protocol === 'https:' ? overHttps : overHttp)({
      agent,
      method,
      host: hostOf(url),
      port: url.port,
      path: url.pathname + url.search,
      headers: headersFor(headers, body),
      maxHeaderSize: maxHeaderBytes,
      insecureHTTPParser: false,
      signal,
    })
    let hasConnected = false
    let interimReplies = 0
    const onConnect = () => {
      hasConnected = true
    }
    const fail = (error: unknown) => {
      const isUnknownAddress = hosted && !hasConnected
      const wasStale = outgoing.reusedSocket && isReset(error) && !signal.aborted
      resolve({
        kind: 'failed',
        error: signal.aborted ? signal.reason : isUnknownAddress ? addressRefused() : error,
        wasStale,
      })
    }
    outgoing.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', onConnect)
      else onConnect()
    })
    outgoing.on('information', () => {
      if (++interimReplies > maxInterimReplies) outgoing.destroy(new OutboundError('REPLY_MALFORMED'))
    })
    // Without an error: a reply that switches protocols, which nobody asked for.
    const onClose = () => fail(new OutboundError('REPLY_MALFORMED'))
    outgoing.once('close', onClose)
    outgoing.on('error', fail)
    outgoing.once('response', (message) => {
      outgoing.off('close', onClose) // Every request closes in the end; the stack of an error takes time.
      resolve({ kind: 'replied', message })
    })
    outgoing.end(body)
  })
}

function headersFor(headers: Headers, body: Uint8Array | undefined): Record<string, string> {
  const kept = passedOn.flatMap((name) => {
    const value = headers.get(name)
    return value === null ? [] : [[name, value]]
  })
  return {
    ...Object.fromEntries(kept),
    // A few compressed kilobytes can hold gigabytes.
    'accept-encoding': 'identity',
    ...(body && { 'content-length': String(body.byteLength) }),
  }
}

const isReset = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
