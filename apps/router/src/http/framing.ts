/** The head of a request as Node's parser reports it. */
export interface RequestHead {
  method?: string | undefined
  /** The request target. */
  url?: string | undefined
  httpVersion: string
  /** Name, value, name, value: as received, with nothing joined or dropped. */
  rawHeaders: readonly string[]
}

/**
 * Why a request must be refused before it is processed: two readers could disagree about where it ends, what it asks
 * for or which host it is for (RFC 9112, 11.2). Node's parser rejects most such requests; this rejects the rest, and
 * undici rewrites what Node normalises. Undefined for an unambiguous request.
 */
export function framingFault(head: RequestHead): string | undefined {
  const { method = '', httpVersion, rawHeaders } = head
  if (!methods.has(method)) return 'has a method that is not supported'
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'has an HTTP version that is not supported'
  const framing: Framing = { upgrades: [] }
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const fault = readHeader(framing, (rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '')
    if (fault !== undefined) return fault
  }
  return bodyFault(framing, head) ?? hostFault(framing, head) ?? upgradeFault(framing, head)
}

/** The headers that decide how a request is parsed. */
interface Framing {
  length?: string
  coding?: string
  host?: string
  upgrades: string[]
  asksToUpgrade?: boolean
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** A body has no meaning here, so another reader may take it for the next request. */
const withoutBody = new Set(['GET', 'HEAD'])

/** `Connection` must never remove these, because the next reader would then see a different request. */
export const framingHeaders: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'host',
  'trailer',
])

/** Some programs read `content_length` or `content.length` as `Content-Length`, so such lookalikes are refused. */
const protectedNames = new Set([
  ...framingHeaders,
  'connection',
  'expect',
  'keep-alive',
  'te',
  'upgrade',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
])

const token = /^[\w!#$%&'*+.^`|~-]+$/
/**
 * Strips only spaces and tabs: `trim` would also remove characters that another reader takes for part of the name. A
 * replace anchored at the end would rescan thousands of inner spaces again and again.
 */
const listItem = /^[ \t]*([^ \t]*)[ \t]*$/
const decimal = /^(?:0|[1-9]\d{0,14})$/
const plainName = /^[a-z\d-]*$/
/** A name, an IPv4 address or a bracketed IPv6 address, with an optional port. */
const authority = /^(?:[a-z\d._-]+|\[[a-f\d:.]+\])(?::\d{1,5})?$/i

function readHeader(framing: Framing, name: string, value: string): string | undefined {
  switch (name) {
    case 'content-length':
      if (framing.length !== undefined) return 'has more than one Content-Length'
      if (!decimal.test(value)) return 'has a Content-Length that is not a plain decimal number'
      framing.length = value
      return undefined
    case 'transfer-encoding':
      if (framing.coding !== undefined) return 'has more than one Transfer-Encoding'
      // Not in capitals either: a case-sensitive reader would not recognise it.
      if (value !== 'chunked') return 'has a Transfer-Encoding other than chunked'
      framing.coding = value
      return undefined
    case 'host':
      if (framing.host !== undefined) return 'has more than one Host header'
      if (!authority.test(value)) return 'has a Host header that is not a host'
      framing.host = value
      return undefined
    case 'expect':
      return value.toLowerCase() === '100-continue' ? undefined : 'has an Expect other than 100-continue'
    case 'upgrade':
      framing.upgrades.push(value.toLowerCase())
      return undefined
    case 'connection':
      return readConnection(framing, value)
    default:
      return !plainName.test(name) && protectedNames.has(dashed(name))
        ? 'has a header name that could be mistaken for another'
        : undefined
  }
}

function readConnection(framing: Framing, value: string): string | undefined {
  for (const part of value.toLowerCase().split(',')) {
    const option = listItem.exec(part)?.[1] ?? ''
    if (!token.test(option)) return 'has a Connection header that is not a list of names'
    if (framingHeaders.has(dashed(option))) return 'names a header in Connection that cannot be removed'
    if (option === 'upgrade') framing.asksToUpgrade = true
  }
  return undefined
}

const dashed = (name: string): string => name.replace(/[^a-z\d]/g, '-')

function bodyFault({ length, coding }: Framing, { method = '', httpVersion }: RequestHead) {
  if (length !== undefined && coding !== undefined) return 'has both a Content-Length and a Transfer-Encoding'
  if (coding !== undefined && httpVersion === '1.0') return 'has a Transfer-Encoding in HTTP/1.0'
  const hasBody = coding !== undefined || (length !== undefined && length !== '0')
  return hasBody && withoutBody.has(method) ? 'has a body, which its method does not allow' : undefined
}

function hostFault({ host }: Framing, { url = '', httpVersion }: RequestHead): string | undefined {
  if (host === undefined && httpVersion === '1.1') return 'has no Host header'
  // No control characters, spaces, backslashes or fragments, and nothing outside ASCII.
  if (!/^[\x21-\x7e]+$/.test(url) || /[\\#]/.test(url))
    return 'has a request target with characters that are not allowed'
  if (url.startsWith('/')) return undefined
  const named = /^https?:\/\/([^/?]*)/i.exec(url)?.[1]
  if (named === undefined) return 'has a request target that is not a path'
  return named.toLowerCase() === host?.toLowerCase()
    ? undefined
    : 'has a request target whose host differs from its Host header'
}

/** Without `Connection: upgrade`, the Upgrade header means nothing and is dropped. */
function upgradeFault(framing: Framing, { method, httpVersion }: RequestHead): string | undefined {
  const { upgrades, asksToUpgrade, length, coding } = framing
  if (!asksToUpgrade || upgrades.length === 0) return undefined
  if (upgrades.length > 1 || upgrades[0] !== 'websocket') return 'asks for a protocol other than websocket'
  if (method !== 'GET' || httpVersion !== '1.1')
    return 'asks for a websocket with something other than GET in HTTP/1.1'
  return length === undefined && coding === undefined ? undefined : 'asks for a websocket but has a body'
}

/**
 * The path and query of a request target. RFC 9112 requires the absolute form to be accepted, but its host selects
 * nothing here. Undefined for targets we do not serve, such as `*`.
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/')) return target
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1]
  return rest === undefined ? undefined : rest.startsWith('/') ? rest : `/${rest}`
}
