import fc from 'fast-check'
import { expect, test } from 'vitest'
import { destinationOf } from './destination.ts'

const fragment = fc.constantFrom(
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
  '/api/room/',
  '/experiment/',
  '/socket.io/',
  'roomId=',
  'room_a',
  'room_b-C',
  '/room_é',
  '/api/experiment/',
)
const target = fc
  .array(fc.oneof(fragment, fc.string({ maxLength: 4 })), { maxLength: 8 })
  .map((parts) => `/${parts.join('')}`)

test('a room id consists of word characters and hyphens and comes from where one is allowed, whatever the target', () => {
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
