import { describe, expect, test } from 'vitest'
import { framingFault, originForm, type RequestHead } from './framing.ts'

const head = (change: Partial<RequestHead> & { headers?: string[] } = {}): RequestHead => {
  const { headers = [], ...rest } = change
  return {
    method: 'POST',
    url: '/api/x?y=1',
    httpVersion: '1.1',
    rawHeaders: ['Host', 'x', ...headers],
    ...rest,
  }
}

describe('an unambiguous request passes', () => {
  test.each<[string, RequestHead]>([
    ['a length', head({ headers: ['Content-Length', '12'] })],
    ['an empty body', head({ headers: ['content-length', '0'], method: 'GET' })],
    ['chunks', head({ headers: ['Transfer-Encoding', 'chunked', 'Trailer', 'X-Sum', 'TE', 'trailers'] })],
    [
      'Connection',
      head({ headers: ['Connection', 'keep-alive, X-Own', 'X-Own', '1', 'Keep-Alive', 'timeout=5'] }),
    ],
    ['several Connections', head({ headers: ['Connection', 'keep-alive', 'connection', 'TE'] })],
    ['100-continue', head({ headers: ['Expect', '100-Continue', 'Content-Length', '5'] })],
    ['a host with a port', head({ rawHeaders: ['host', 'study.example.org:8443'] })],
    ['IPv6', head({ rawHeaders: ['Host', '[::1]:3001'] })],
    ['HTTP/1.0 without a Host', head({ httpVersion: '1.0', rawHeaders: [] })],
    ['the absolute form of its own host', head({ url: 'http://X/api/x' })],
    ['odd but allowed characters', head({ url: '/api/x;a=1/%2F..//?q={|}^`[]\'"<>' })],
    ['a websocket', head({ method: 'GET', headers: ['Connection', 'Upgrade', 'Upgrade', 'WebSocket'] })],
    ['an Upgrade that Connection does not name', head({ headers: ['Upgrade', 'h2c'] })],
    ['Connection: upgrade without a protocol', head({ headers: ['Connection', 'upgrade'] })],
    ['a name with underscores that resembles no framing header', head({ headers: ['x_session_id', '1'] })],
  ])('%s', (_name, request) => {
    expect(framingFault(request)).toBeUndefined()
  })
})

describe('a request that two readers could read differently is refused with a reason', () => {
  test.each<[string, RequestHead]>([
    ...['CONNECT', 'TRACE', 'get', 'PROPFIND', '', 'G-ET'].map((method): [string, RequestHead] => [
      `the method ${method}`,
      head({ method }),
    ]),
    ...['0.9', '1.2', '2.0'].map((httpVersion): [string, RequestHead] => [
      `HTTP/${httpVersion}`,
      head({ httpVersion }),
    ]),
    ...['Content-Length', 'transfer-encoding', 'HOST', 'Trailer', 'content_length'].flatMap(
      (name): [string, RequestHead][] => [
        [`Connection: ${name}`, head({ headers: ['Connection', name] })],
        [`Connection: keep-alive,${name}`, head({ headers: ['Connection', `keep-alive,\t${name} `] })],
        [`a second Connection: ${name}`, head({ headers: ['Connection', 'close', 'CONNECTION', name] })],
      ],
    ),
    ...['', ',', 'keep-alive,', 'a b', 'keep-alive;close', 'a\xa0', '\x0bx'].map(
      (value): [string, RequestHead] => [
        `Connection: ${JSON.stringify(value)}`,
        head({ headers: ['Connection', value] }),
      ],
    ),
    ...['+1', '-1', '01', '1, 1', '1.0', '0x1', '', ' 1', '1e1', '9'.repeat(16)].map(
      (value): [string, RequestHead] => [
        `Content-Length: ${value}`,
        head({ headers: ['Content-Length', value] }),
      ],
    ),
    ['two lengths', head({ headers: ['Content-Length', '1', 'content-length', '1'] })],
    ['a length and chunks', head({ headers: ['Content-Length', '1', 'Transfer-Encoding', 'chunked'] })],
    ...['Chunked', 'gzip, chunked', 'chunked,', 'identity', ''].map((value): [string, RequestHead] => [
      `Transfer-Encoding: ${value}`,
      head({ headers: ['Transfer-Encoding', value] }),
    ]),
    ['two codings', head({ headers: ['Transfer-Encoding', 'chunked', 'Transfer-Encoding', 'chunked'] })],
    ['chunks in HTTP/1.0', head({ headers: ['Transfer-Encoding', 'chunked'], httpVersion: '1.0' })],
    ['GET with a body', head({ method: 'GET', headers: ['Content-Length', '1'] })],
    ['HEAD with chunks', head({ method: 'HEAD', headers: ['Transfer-Encoding', 'chunked'] })],
    ...['content_length', 'Transfer_Encoding', 'transfer.encoding', 'x_forwarded_for', 'CONTENT~LENGTH'].map(
      (name): [string, RequestHead] => [`the header ${name}`, head({ headers: [name, '1'] })],
    ),
    ['no Host', head({ rawHeaders: [] })],
    ['two Hosts', head({ headers: ['host', 'x'] })],
    ...['', 'a b', 'a,b', 'u@x', 'x/y', 'x:', 'x:y', '[::1', 'é'].map((host): [string, RequestHead] => [
      `Host: ${host}`,
      head({ rawHeaders: ['Host', host] }),
    ]),
    ...[
      '',
      '*',
      'x',
      'x:80',
      '/a b',
      '/a\tb',
      '/a\r\nb',
      '/a\0',
      '/a\x7f',
      '/a\\b',
      '/a#b',
      '/\xe9',
      'ftp://x/',
    ].map((url): [string, RequestHead] => [`the target ${JSON.stringify(url)}`, head({ url })]),
    ...['http://y/', 'http://u@x/', 'http://x:80/', 'http:///', 'http://'].map(
      (url): [string, RequestHead] => [`the target ${url} with another host`, head({ url })],
    ),
    ['another Expect', head({ headers: ['Expect', '100-continue, x'] })],
    ['h2c', head({ method: 'GET', headers: ['Connection', 'Upgrade, HTTP2-Settings', 'Upgrade', 'h2c'] })],
    [
      'two protocols',
      head({ method: 'GET', headers: ['Connection', 'upgrade', 'Upgrade', 'websocket, h2c'] }),
    ],
    ['a websocket by POST', head({ headers: ['Connection', 'upgrade', 'Upgrade', 'websocket'] })],
    [
      'a websocket with a length',
      head({
        method: 'GET',
        headers: ['Connection', 'upgrade', 'Upgrade', 'websocket', 'Content-Length', '0'],
      }),
    ],
  ])('%s', (_name, request) => {
    expect(framingFault(request)).toMatch(/^(has|names|asks) /)
  })
})

test('the origin form starts with a slash and has no host', () => {
  expect(originForm('/a?b')).toBe('/a?b')
  expect(originForm('http://evil.test/api/x?y')).toBe('/api/x?y')
  expect(originForm('HTTPS://u:p@evil.test:1?y')).toBe('/?y')
  expect(originForm('http://evil.test')).toBe('/')
  expect(originForm('//evil.test/x')).toBe('//evil.test/x')
  for (const odd of ['*', '', 'evil.test:80', 'ftp://evil.test/', 'api/x'])
    expect(originForm(odd)).toBeUndefined()
})
