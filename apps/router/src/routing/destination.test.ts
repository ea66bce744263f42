import fc from 'fast-check'
import { expect, test } from 'vitest'
import { destinationOf, originForm } from './destination.ts'

const fragment = fc.constantFrom(
  ...[
    '/',
    '//',
    '/../',
    '%2F',
    '%2e',
    '\\',
    '?',
    '&',
    '#',
    ';',
    '=',
    '@',
    ':',
    'http://evil.test',
    'room_',
    '-',
    '.',
  ],
  ...[
    '/api/room/',
    '/experiment/',
    '/socket.io/',
    'roomId=',
    'room_a',
    'room_b-C',
    '/room_é',
    '/api/experiment/',
  ],
)
const target = fc
  .array(fc.oneof(fragment, fc.string({ maxLength: 4 })), { maxLength: 8 })
  .map((parts) => `/${parts.join('')}`)

test('whatever the address, a room id is word characters and hyphens, and stands where one may stand', () => {
  fc.assert(
    fc.property(target, (address) => {
      const destination = destinationOf(address)
      if (destination.kind !== 'room') return
      expect(destination.roomId).toMatch(/^room_[\w-]+$/)
      const [path = '', query = ''] = address.split(/[?#](.*)/s)
      const inQuery = path.startsWith('/socket.io') ? new URLSearchParams(query).getAll('roomId') : []
      const inPath = path
        .split('/')
        .slice(1)
        .map((segment) => /^room_[\w-]+/.exec(segment)?.[0])
      expect(inPath.find(Boolean) ?? (inQuery.length === 1 ? inQuery[0] : undefined)).toBe(destination.roomId)
    }),
    { numRuns: 2_000 },
  )
})

test('the origin form begins with a slash and has no host', () => {
  expect(originForm('/a?b')).toBe('/a?b')
  expect(originForm('http://evil.test/api/x?y')).toBe('/api/x?y')
  expect(originForm('HTTPS://u:p@evil.test:1?y')).toBe('/?y')
  expect(originForm('http://evil.test')).toBe('/')
  expect(originForm('//evil.test/x')).toBe('//evil.test/x')
  for (const odd of ['*', '', 'evil.test:80', 'ftp://evil.test/', 'api/x'])
    expect(originForm(odd)).toBeUndefined()
})
