import { expect, test } from 'vitest'
import { addressIn } from './client-error.ts'

test.each([
  ['GET /api/v4/participant/discover HTTP/1.1\r\nHost: x', '/api/v4/participant/discover'],
  ['BREW /pot?milk=1 HTTP/1.1\r\n', '/pot?milk=1'],
  ['OPTIONS * HTTP/1.1\r\n', '*'],
  ['GET  /two-blanks HTTP/1.1', ''],
  ['get /lower HTTP/1.1', ''],
  [' GET /late HTTP/1.1', ''],
  ['GET /cut-off', ''],
  [`GET /${'x'.repeat(3_000)} HTTP/1.1`, ''],
  ['\x16\x03\x01', ''],
  ['', ''],
])('the address in %j is %j', (packet, address) => {
  expect(addressIn(Buffer.from(packet, 'latin1'))).toBe(address)
})

test('anything but a packet has no address', () => {
  for (const packet of [undefined, null, 'GET / HTTP/1.1', {}]) expect(addressIn(packet)).toBe('')
})
