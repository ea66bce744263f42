/** The head of a request as Node's parser gives it. */
export interface RequestHead {
  method?: string | undefined
  /** The request target. */
  url?: string | undefined
  httpVersion: string
  /** Name, value, name, value: as they came, none joined and none dropped. */
  rawHeaders: readonly string[]
}

/**
 * Says why a request is refused before anything is done for it: two readers could disagree about where it ends, what it
 * asks for or whom it is for (RFC 9112, 11.2). Node's parser refuses much of this by itself; what it lets pass is
 * refused here, and what it normalises is written anew by undici. Undefined for a request that can be read in one way only.
 */
export function framingFault(head: RequestHead): string | undefined {
  const { method = '', httpVersion, rawHeaders } = head
  if (!methods.has(method)) return 'has a method that is not served here'
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'has a version of HTTP that is not served here'
  const framing: Framing = { upgrades: [] }
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const fault = readHeader(framing, (rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? '')
    if (fault !== undefined) return fault
  }
  return faultOfBody(framing, head) ?? faultOfHost(framing, head) ?? faultOfUpgrade(framing, head)
}

/** The headers that decide how a request is read, each at most once. */
interface Framing {
  length?: string
  coding?: string
  host?: string
  upgrades: string[]
  asksToUpgrade?: boolean
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** Their body has no meaning, so a reader may skip it and take it for the next request. */
const withoutBody = new Set(['GET', 'HEAD'])

/** `Connection` never removes these: without them the next reader would see another request. */
export const framingHeaders: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'host',
  'trailer',
])

/** Some programs read `content_length` or `content.length` as `Content-Length`; here nobody may. */
const neverLookedLike = new Set([
  ...framingHeaders,
  ...['connection', 'expect', 'keep-alive', 'te', 'upgrade'],
  ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
])

const token = /^[\w!#$%&'*+.^`|~-]+$/
/**
 * Spaces and tabs only: `trim` would also remove what another reader takes for a part of the name. Nor by replacing them at
 * the end: a pattern for that looks at each of thousands of spaces in the middle again and again.
 */
const listed = /^[ \t]*([^ \t]*)[ \t]*$/
const decimal = /^(?:0|[1-9]\d{0,14})$/
const plainName = /^[a-z\d-]*$/
/** A name or an IPv4 address, or an IPv6 address in brackets; then perhaps a port. */
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
      // Not in capitals either: whoever compares letter by letter would see another coding.
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
      return !plainName.test(name) && neverLookedLike.has(dashed(name))
        ? 'has a header that could be taken for another'
        : undefined
  }
}

function readConnection(framing: Framing, value: string): string | undefined {
  for (const part of value.toLowerCase().split(',')) {
    const option = listed.exec(part)?.[1] ?? ''
    if (!token.test(option)) return 'has a Connection header that is not a list of names'
    if (framingHeaders.has(dashed(option))) return 'names a header in Connection that cannot be left out'
    if (option === 'upgrade') framing.asksToUpgrade = true
  }
  return undefined
}

const dashed = (name: string): string => name.replace(/[^a-z\d]/g, '-')

function faultOfBody({ length, coding }: Framing, { method = '', httpVersion }: RequestHead) {
  if (length !== undefined && coding !== undefined) return 'has both a Content-Length and a Transfer-Encoding'
  if (coding !== undefined && httpVersion === '1.0') return 'has a Transfer-Encoding in HTTP/1.0'
  const hasBody = coding !== undefined || (length !== undefined && length !== '0')
  return hasBody && withoutBody.has(method) ? 'has a body, which its method does not allow' : undefined
}

function faultOfHost({ host }: Framing, { url = '', httpVersion }: RequestHead): string | undefined {
  if (host === undefined && httpVersion === '1.1') return 'has no Host header'
  // No control characters, spaces, backslashes or fragments, and nothing outside of ASCII.
  if (!/^[\x21-\x7e]+$/.test(url) || /[\\#]/.test(url))
    return 'has an address with characters it may not have'
  if (url.startsWith('/')) return undefined
  const named = /^https?:\/\/([^/?]*)/i.exec(url)?.[1]
  if (named === undefined) return 'has an address that is not a path'
  return named.toLowerCase() === host?.toLowerCase()
    ? undefined
    : 'has an address with another host than its Host header'
}

/** Without `Connection: upgrade` the header means nothing, and ends here. */
function faultOfUpgrade(framing: Framing, { method, httpVersion }: RequestHead): string | undefined {
  const { upgrades, asksToUpgrade, length, coding } = framing
  if (!asksToUpgrade || upgrades.length === 0) return undefined
  if (upgrades.length > 1 || upgrades[0] !== 'websocket') return 'asks for a protocol other than websocket'
  if (method !== 'GET' || httpVersion !== '1.1') return 'asks for a websocket other than by GET in HTTP/1.1'
  return length === undefined && coding === undefined ? undefined : 'asks for a websocket and has a body'
}
