/**
 * Requests that two readers could parse differently, as raw bytes. OUTER stands for the path that the sender is allowed
 * to request; a complete request for another path is hidden in it.
 */
export interface Vector {
  name: string
  bytes: string
  /** How many requests the router makes of it; absent if it is refused. */
  made?: number
  /** The request is incomplete. */
  isUnfinished?: boolean
}

const innerPath = '/api/room/room_inner/smuggled'
const innerRequest = `GET ${innerPath} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n`

const line = 'POST OUTER HTTP/1.1\r\n'
const host = 'Host: x\r\n'
const bodyLength = innerRequest.length
const hex = bodyLength.toString(16)
const inChunks = `${hex}\r\n${innerRequest}\r\n0\r\n\r\n`
/** Ends at once for a reader of chunks but contains a request for a reader of lengths, or the other way round. */
const emptyChunks = `0\r\n\r\n${innerRequest}`

const post = (headers: string, body: string): string => `${line}${host}${headers}\r\n${body}`
const withLength = (headers: string): string =>
  post(`Content-Length: ${bodyLength}\r\n${headers}`, innerRequest)
const withChunks = (headers: string): string => post(`Transfer-Encoding: chunked\r\n${headers}`, inChunks)

const framingNames = [
  'Content-Length',
  'content-length',
  'CONTENT-LENGTH',
  'Transfer-Encoding',
  'Host',
  'Trailer',
]
const connectionForms: [string, (name: string) => string][] = [
  ['alone', (name) => `Connection: ${name}\r\n`],
  ['after another', (name) => `Connection: keep-alive, ${name}\r\n`],
  ['before another', (name) => `Connection: ${name},close\r\n`],
  ['between tabs', (name) => `Connection: keep-alive,\t${name}\t\r\n`],
  ['in a second header', (name) => `Connection: keep-alive\r\nConnection: ${name}\r\n`],
  ['in a first header', (name) => `connection: ${name}\r\nConnection: keep-alive\r\n`],
]

const namedInConnection = framingNames.flatMap((name) =>
  connectionForms.map(([form, headers]) => ({
    name: `Connection names ${name}, ${form}`,
    bytes: (name === 'Transfer-Encoding' ? withChunks : withLength)(headers(name)),
  })),
)

const lengths: [string, string][] = [
  ['with a plus', `+${bodyLength}`],
  ['that is negative', '-1'],
  ['in hexadecimal', `0x${hex}`],
  ['with leading zeros', `00${bodyLength}`],
  ['with a fraction', `${bodyLength}.0`],
  ['with an exponent', '1e2'],
  ['with an underscore', '7_9'],
  ['with a space inside', '7 9'],
  ['as a list of the same', `${bodyLength}, ${bodyLength}`],
  ['as a list of others', `0, ${bodyLength}`],
  ['with a comma', `${bodyLength},`],
  ['in quotes', `"${bodyLength}"`],
  ['that is empty', ''],
  ['too large for any integer', '18446744073709551616'],
  ['with a vertical tab', `${bodyLength}\x0b`],
  ['with a zero byte', `${bodyLength}\0`],
  ['in other digits', '\xb2'],
  ['with a parameter', `${bodyLength};a=b`],
]

const contentLengths = lengths.map(([name, value]) => ({
  name: `a Content-Length ${name}`,
  bytes: post(`Content-Length: ${value}\r\n`, innerRequest),
}))

const twoLengths: Vector[] = [
  {
    name: 'two lengths, the last one true',
    bytes: withLength('').replace(host, `${host}Content-Length: 0\r\n`),
  },
  { name: 'two lengths, the first one true', bytes: withLength('Content-Length: 0\r\n') },
  { name: 'the same length twice', bytes: withLength(`Content-Length: ${bodyLength}\r\n`) },
  { name: 'two lengths in other letters', bytes: withLength('CONTENT-LENGTH: 0\r\n') },
  {
    name: 'a length and chunks',
    bytes: post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', emptyChunks),
  },
  {
    name: 'chunks and a length',
    bytes: post('Transfer-Encoding: chunked\r\nContent-Length: 6\r\n', emptyChunks),
  },
  {
    name: 'chunks and a length that covers everything',
    bytes: post(`Transfer-Encoding: chunked\r\nContent-Length: ${emptyChunks.length}\r\n`, emptyChunks),
  },
]

const codings: [string, string][] = [
  ['in capitals', 'Chunked'],
  ['after another', 'identity, chunked'],
  ['after gzip', 'gzip, chunked'],
  ['before another', 'chunked, identity'],
  ['twice in a list', 'chunked, chunked'],
  ['with a letter before', 'xchunked'],
  ['with a letter after', 'chunkedx'],
  ['with a parameter', 'chunked;q=1'],
  ['in quotes', '"chunked"'],
  ['after a comma', ',chunked'],
  ['before a comma', 'chunked,'],
  ['after a vertical tab', '\x0bchunked'],
  ['before a zero byte', 'chunked\0'],
  ['after a no-break space', '\xa0chunked'],
  ['as identity', 'identity'],
  ['as nothing', ''],
]

const transferEncodings = codings.flatMap(([name, value]) => [
  { name: `a Transfer-Encoding ${name}`, bytes: post(`Transfer-Encoding: ${value}\r\n`, emptyChunks) },
  {
    name: `a Transfer-Encoding ${name}, and a length`,
    bytes: post(`Content-Length: ${emptyChunks.length}\r\nTransfer-Encoding: ${value}\r\n`, emptyChunks),
  },
])

const length = `Content-Length: ${emptyChunks.length}\r\n`
const oddHeaders: [string, string][] = [
  ['a space before the colon', `${length}Transfer-Encoding : chunked\r\n`],
  ['a tab before the colon', `${length}Transfer-Encoding\t: chunked\r\n`],
  ['a space before the name', `${length} Transfer-Encoding: chunked\r\n`],
  ['a value on the next line', `${length}Transfer-Encoding:\r\n chunked\r\n`],
  ['a header folded into another', `${length}X: a\r\n\tTransfer-Encoding: chunked\r\n`],
  ['a bare line feed before a header', `${length}X: a\nTransfer-Encoding: chunked\r\n`],
  ['a bare carriage return before a header', `${length}X: a\rTransfer-Encoding: chunked\r\n`],
  ['two carriage returns', `${length}X: a\r\r\nTransfer-Encoding: chunked\r\n`],
  ['a bare line feed after a header', `${length}Transfer-Encoding: chunked\n`],
  ['a zero byte in the name', `${length}Transfer-Encoding\0: chunked\r\n`],
  ['a zero byte in a value', `${length}X: a\0\r\n`],
  ['an underscore', `${length}Transfer_Encoding: chunked\r\n`],
  ['a dot', `${length}transfer.encoding: chunked\r\n`],
  ['no name', `${length}: chunked\r\n`],
  ['no colon', `${length}Transfer-Encoding chunked\r\n`],
  ['a name in brackets', `${length}(Transfer-Encoding): chunked\r\n`],
  ['two Transfer-Encodings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'],
  ['two different ones', 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n'],
]

const oddNames: Vector[] = [
  ...oddHeaders.map(([name, headers]) => ({ name: `headers: ${name}`, bytes: post(headers, emptyChunks) })),
  { name: 'content_length', bytes: post(`content_length: ${bodyLength}\r\n`, innerRequest) },
  { name: 'content.length', bytes: post(`content.length: ${bodyLength}\r\n`, innerRequest) },
  { name: 'content_length and another', bytes: withLength('content_length: 0\r\n') },
  { name: 'X_Forwarded_For', bytes: withLength('X_Forwarded_For: 6.6.6.6\r\n') },
  { name: 'chunks in HTTP/1.0', bytes: withChunks('').replace('HTTP/1.1', 'HTTP/1.0') },
  {
    name: 'framing after more headers than Node counts',
    bytes: withChunks('').replace(host, `${host}${'a:b\r\n'.repeat(2_100)}`),
  },
]

const chunkSizes: [string, string][] = [
  ['in C', `0x${hex}`],
  ['with a plus', `+${hex}`],
  ['that is negative', '-1'],
  ['after a space', ` ${hex}`],
  ['before a space', `${hex} `],
  ['with an underscore', `${hex[0]}_${hex.slice(1)}`],
  ['that is empty', ''],
  ['that is not a number', 'G'],
  ['too large for any integer', `fffffffffffffffff${hex}`],
  ['before a bare carriage return', `${hex}\r`],
  ['with a line feed in its extension', `${hex};a\nb`],
  ['with a carriage return in its extension', `${hex};a\rb`],
  ['with a zero byte in its extension', `${hex};a\0b`],
]

const chunked = (body: string): string => post('Transfer-Encoding: chunked\r\n', body)
const chunks: Vector[] = [
  ...chunkSizes.map(([name, size]) => ({
    name: `a chunk size ${name}`,
    bytes: chunked(`${size}\r\n${innerRequest}\r\n0\r\n\r\n`),
  })),
  { name: 'a chunk size before a bare line feed', bytes: chunked(`${hex}\n${innerRequest}\r\n0\r\n\r\n`) },
  { name: 'a chunk without its end', bytes: chunked(`${hex}\r\n${innerRequest}0\r\n\r\n`) },
  {
    name: 'a chunk with a bare line feed at its end',
    bytes: chunked(`${hex}\r\n${innerRequest}\n0\r\n\r\n`),
  },
  { name: 'a chunk longer than its size', bytes: chunked(`3\r\n${innerRequest}\r\n0\r\n\r\n`) },
  { name: 'a last chunk with bare line feeds', bytes: chunked(`0\n\n${innerRequest}`) },
  { name: 'no last chunk', bytes: chunked(`${hex}\r\n${innerRequest}\r\n`), isUnfinished: true },
  { name: 'a trailer with a bare line feed', bytes: chunked(`0\r\nX: a\nY: b\r\n\r\n`) },
  { name: 'a trailer folded', bytes: chunked(`0\r\nX: a\r\n b\r\n\r\n`) },
  { name: 'chunk extensions', bytes: chunked(`${hex};a=b;c="d"\r\n${innerRequest}\r\n0;e\r\n\r\n`), made: 1 },
  { name: 'a trailer', bytes: chunked(`${hex}\r\n${innerRequest}\r\n0\r\nX-Sum: 1\r\n\r\n`), made: 1 },
  { name: 'a trailer that is announced', bytes: withChunks('Trailer: X-Sum\r\nTE: trailers\r\n'), made: 1 },
]

const requestLines: [string, string][] = [
  ['a space in the address', 'POST OUTER a HTTP/1.1'],
  ['a tab in the address', 'POST OUTER\ta HTTP/1.1'],
  ['a zero byte in the address', 'POST OUTER\0 HTTP/1.1'],
  ['a carriage return in the address', 'POST OUTER\r HTTP/1.1'],
  ['a line feed in the address', 'POST OUTER\n HTTP/1.1'],
  ['a non-ASCII character in the address', 'POST OUTER\xe9 HTTP/1.1'],
  ['a fragment in the address', 'POST OUTER#a HTTP/1.1'],
  ['a backslash in the address', 'POST OUTER\\a HTTP/1.1'],
  ['another host in the address', 'POST http://yOUTER HTTP/1.1'],
  ['a user in the address', 'POST http://u@xOUTER HTTP/1.1'],
  ['no slash', 'POST xOUTER HTTP/1.1'],
  ['an asterisk', 'OPTIONS * HTTP/1.1'],
  ['two requests in one line', `GET OUTER HTTP/1.1 GET ${innerPath} HTTP/1.1`],
  ['no version', 'POST OUTER'],
  ['HTTP/0.9', 'POST OUTER HTTP/0.9'],
  ['HTTP/1.2', 'POST OUTER HTTP/1.2'],
  ['HTTP/2.0', 'POST OUTER HTTP/2.0'],
  ['HTTP/1.10', 'POST OUTER HTTP/1.10'],
  ['HTTP/01.1', 'POST OUTER HTTP/01.1'],
  ['a version in small letters', 'POST OUTER http/1.1'],
  ['a method in small letters', 'post OUTER HTTP/1.1'],
  ['a method with a tab after it', 'POST\tOUTER HTTP/1.1'],
  ['a method with a space before it', ' POST OUTER HTTP/1.1'],
  ['an unknown method', 'SMUGGLE OUTER HTTP/1.1'],
  ['an unsupported method', 'PROPFIND OUTER HTTP/1.1'],
  ['TRACE', 'TRACE OUTER HTTP/1.1'],
  ['CONNECT', 'CONNECT x:80 HTTP/1.1'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0'],
]

const lines = requestLines.map(([name, first]) => ({
  name: `a request line with ${name}`,
  bytes: withLength('').replace(line, `${first}\r\n`),
}))

const hosts: Vector[] = [
  { name: 'two Hosts', bytes: withLength('Host: y\r\n') },
  { name: 'the same Host twice', bytes: withLength('host: x\r\n') },
  { name: 'a Host that is a list', bytes: withLength('').replace('Host: x', 'Host: x, y') },
  { name: 'a Host with a user', bytes: withLength('').replace('Host: x', 'Host: u@x') },
  { name: 'a Host with a path', bytes: withLength('').replace('Host: x', 'Host: x/y') },
  { name: 'a Host with an invalid port', bytes: withLength('').replace('Host: x', 'Host: x:y') },
  { name: 'an empty Host', bytes: withLength('').replace('Host: x', 'Host:') },
  { name: 'no Host', bytes: withLength('').replace(host, '') },
  { name: 'a Host with a space inside', bytes: withLength('').replace('Host: x', 'Host: x y') },
]

const upgrade =
  'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
const get = (path: string, headers: string, body: string): string =>
  `GET ${path} HTTP/1.1\r\n${host}${headers}\r\n${body}`

const bodiesAndUpgrades: Vector[] = [
  { name: 'GET with a body', bytes: withLength('').replace('POST', 'GET') },
  { name: 'HEAD with a body', bytes: withLength('').replace('POST', 'HEAD') },
  { name: 'GET with chunks', bytes: withChunks('').replace('POST', 'GET') },
  { name: 'HEAD with chunks', bytes: withChunks('').replace('POST', 'HEAD') },
  { name: 'an upgrade elsewhere', bytes: get('OUTER', `${upgrade}Upgrade: websocket\r\n`, innerRequest) },
  {
    name: 'an upgrade with a body',
    bytes: get(
      '/socket.io/?OUTER',
      `${upgrade}Upgrade: websocket\r\nContent-Length: ${bodyLength}\r\n`,
      innerRequest,
    ),
  },
  {
    name: 'an upgrade with an empty body',
    bytes: get('/socket.io/?OUTER', `${upgrade}Upgrade: websocket\r\nContent-Length: 0\r\n`, innerRequest),
  },
  {
    name: 'an upgrade with chunks',
    bytes: get(
      '/socket.io/?OUTER',
      `${upgrade}Upgrade: websocket\r\nTransfer-Encoding: chunked\r\n`,
      inChunks,
    ),
  },
  {
    name: 'an upgrade by POST',
    bytes: get('/socket.io/?OUTER', `${upgrade}Upgrade: websocket\r\n`, innerRequest).replace('GET', 'POST'),
  },
  {
    name: 'an upgrade to h2c',
    bytes: get('OUTER', `${upgrade}Upgrade: h2c\r\nHTTP2-Settings: AAMA\r\n`, innerRequest),
  },
  {
    name: 'an upgrade to h2c or a websocket',
    bytes: get('/socket.io/?OUTER', `${upgrade}Upgrade: h2c, websocket\r\n`, innerRequest),
  },
  {
    name: 'an upgrade that the backend answers as a request',
    bytes: get('/socket.io/?OUTER', `${upgrade}Upgrade: websocket\r\n`, innerRequest),
    made: 1,
  },
  { name: 'another Expect', bytes: withLength('Expect: 200-ok\r\n') },
  { name: 'two Expects', bytes: withLength('Expect: 100-continue\r\nExpect: 200-ok\r\n') },
  {
    name: 'a Connection that is not a list of names',
    bytes: withLength('Connection: keep-alive; close\r\n'),
  },
  { name: 'an empty Connection', bytes: withLength('Connection:\r\n') },
]

const valid: Vector[] = [
  // Node's parser takes this for HTTP/1.0; the backend receives HTTP/1.1.
  { name: 'another protocol', bytes: withLength('').replace('HTTP/1.1', 'RTSP/1.0'), made: 1 },
  { name: 'a request as a body, with its length', bytes: withLength(''), made: 1 },
  { name: 'a request as a body, in chunks', bytes: withChunks(''), made: 1 },
  { name: 'a body of DELETE', bytes: withLength('').replace('POST', 'DELETE'), made: 1 },
  {
    name: 'a body that waits for 100 Continue',
    bytes: withLength('Expect: 100-continue\r\n'),
    made: 1,
  },
  { name: 'an Upgrade without Connection', bytes: withLength('Upgrade: h2c\r\nTE: trailers\r\n'), made: 1 },
  {
    name: 'what comes after Connection: close',
    bytes: post('Connection: close\r\nContent-Length: 0\r\n', innerRequest),
    made: 1,
  },
  { name: 'an incomplete body', bytes: withLength('').slice(0, -1), isUnfinished: true },
  { name: 'an incomplete head', bytes: get('OUTER', '', '').slice(0, -2), isUnfinished: true },
]

export const vectors: Vector[] = [
  ...namedInConnection,
  ...contentLengths,
  ...twoLengths,
  ...transferEncodings,
  ...oddNames,
  ...chunks,
  ...lines,
  ...hosts,
  ...bodiesAndUpgrades,
  ...valid,
]
