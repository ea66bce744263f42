import { hopByHop, namedIn, without } from '../hop-by-hop.ts'

/** A backend said something that is not HTTP, or that two readers could understand differently. */
export class MalformedAnswer extends Error {}

export interface AnswerHead {
  status: number
  reason: string
  /** For the client, as name, value, name, value: without those about one connection only. */
  headers: string[]
  /** How its end is found (RFC 9112, 6.3); a number is that of its bytes. */
  body: number | 'chunks' | 'until close'
  /** How long the connection may wait for another request; 0: not at all. */
  keepMs: number
}

// Strict, because what is unclear here could be read as two answers by whoever reads it next (RFC 9112, 11.2).
const statusLine = /HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?\r\n/y
const headerLine = /([\w!#$%&'*+.^`|~-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)\r\n/y
const decimal = /^\d{1,15}$/

/** Below the five seconds of a Node server that says nothing: it is we who close, and not as a request is coming. */
const mostKeepMs = 4_000
const keepAliveMarginMs = 1_000

/** The text is latin1, from the status line to the last header, each with its line end. */
export function parseAnswerHead(text: string, isToHead: boolean): AnswerHead {
  statusLine.lastIndex = 0
  const first = statusLine.exec(text)
  if (!first) throw new MalformedAnswer('the backend sent no status line')
  const status = Number(first[2])
  const headers: string[] = []
  let length: string | undefined
  let coding: string | undefined
  let connection: string | undefined
  let keepAlive: string | undefined
  headerLine.lastIndex = statusLine.lastIndex
  while (headerLine.lastIndex < text.length) {
    const line = headerLine.exec(text)
    if (!line) throw new MalformedAnswer('the backend sent a malformed header')
    const name = line[1] as string
    const value = (line[2] as string).trimEnd()
    const lowerName = name.toLowerCase()
    if (lowerName === 'content-length') length = onlyLength(length, value)
    if (!hopByHop.has(lowerName)) headers.push(name, value)
    else if (lowerName === 'transfer-encoding') coding = coding === undefined ? value : `${coding}, ${value}`
    else if (lowerName === 'connection')
      connection = connection === undefined ? value : `${connection}, ${value}`
    else if (lowerName === 'keep-alive') keepAlive = value
  }
  const named = namedIn(connection)
  return {
    status,
    reason: first[3] ?? '',
    headers: named ? without(named, headers) : headers,
    body: isToHead || hasNoBody(status) ? 0 : bodyOf(length, coding),
    keepMs: first[1] === '0' || isClose(connection) ? 0 : keepMsOf(keepAlive),
  }
}

function onlyLength(former: string | undefined, value: string): string {
  if (!decimal.test(value) || (former !== undefined && former !== value))
    throw new MalformedAnswer('the backend sent a malformed Content-Length')
  return value
}

const hasNoBody = (status: number): boolean => status < 200 || status === 204 || status === 304

function bodyOf(length: string | undefined, coding: string | undefined): AnswerHead['body'] {
  if (coding === undefined) return length === undefined ? 'until close' : Number(length)
  if (coding.toLowerCase() !== 'chunked' || length !== undefined)
    throw new MalformedAnswer('the backend sent a Transfer-Encoding that cannot be followed')
  return 'chunks'
}

const isClose = (connection: string | undefined): boolean =>
  connection !== undefined && /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(connection)

function keepMsOf(keepAlive: string | undefined): number {
  const seconds = keepAlive === undefined ? undefined : /(?:^|[ ,;])timeout=(\d+)/i.exec(keepAlive)?.[1]
  if (seconds === undefined) return mostKeepMs
  return Math.max(0, Math.min(Number(seconds) * 1_000 - keepAliveMarginMs, mostKeepMs))
}
