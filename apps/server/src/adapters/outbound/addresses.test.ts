import { isIPv6 } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { acceptedUrl } from './accepted-url.ts'
import { isPublicAddress } from './public-address.ts'
import { badHosts, publicHosts } from './test/hosts.ts'

const accepts = (host: string) => acceptedUrl(`https://${host}/v1/models`, true) !== undefined

it.each(badHosts)('[R35,OG2] refuses %j', (host) => {
  expect(accepts(host)).toBe(false)
})

it.each(publicHosts)('[R35,OG2] accepts %j', (host) => {
  expect(accepts(host)).toBe(true)
})

it('[R35,OG1] refuses everything but https, other ports of the system, and secrets in the URL', () => {
  const refused = [
    'http://api.example.org/v1',
    'ftp://api.example.org/v1',
    'file:///etc/passwd',
    'data:application/json,{}',
    'https://user@api.example.org/v1',
    'https://user:secret@api.example.org/v1',
    'https://:secret@api.example.org/v1',
    'https://api.example.org@127.0.0.1/v1',
    'https://api.example.org:25/v1',
    'https://api.example.org:80/v1',
    'https://api.example.org:0/v1',
    'https://api.example.org:1023/v1',
    'https://api.example.org:65536/v1',
    'https:///v1',
    'api.example.org/v1',
    '',
    `https://api.example.org/${'a'.repeat(3_000)}`,
  ]
  expect(refused.filter((url) => acceptedUrl(url, true))).toEqual([])
  expect(accepts('api.example.org:8443')).toBe(true)
  expect(accepts('api.example.org:443')).toBe(true)
})

it('[R35,OG1] is open to any host when not hosted, but neither to other schemes nor to secrets in the URL', () => {
  expect(acceptedUrl('http://127.0.0.1:8080/v1', false)).toBeDefined()
  expect(acceptedUrl('http://localhost:25/v1', false)).toBeDefined()
  for (const url of [
    'ftp://localhost/v1',
    'http://user:secret@localhost/v1',
    'http://[::1',
    'x'.repeat(9_999),
  ])
    expect(acceptedUrl(url, false)).toBeUndefined()
})

it('[R35,OG2] what was hidden before the real host does not count', () => {
  expect(acceptedUrl('https://8.8.8.8\\@127.0.0.1/v1', true)?.hostname).toBe('8.8.8.8')
  expect(acceptedUrl('https://127.0.0.1\\@8.8.8.8/v1', true)).toBeUndefined()
  expect(acceptedUrl('https://127.0.0.1#@8.8.8.8/v1', true)).toBeUndefined()
})

const octet = fc.integer({ min: 0, max: 255 })
const octets = fc.tuple(octet, octet, octet, octet)
type Octets = [number, number, number, number]
const numberOf = ([a, b, c, d]: Octets) => a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
const hex = (value: number, digits = 1) => value.toString(16).padStart(digits, '0')

const notations: ((address: Octets) => string)[] = [
  (address) => address.join('.'),
  (address) => `${address.join('.')}.`,
  (address) => String(numberOf(address)),
  (address) => `0x${hex(numberOf(address))}`,
  (address) => `0${numberOf(address).toString(8)}`,
  (address) => address.map((part) => `0x${hex(part)}`).join('.'),
  (address) => address.map((part) => `0${part.toString(8)}`).join('.'),
  ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  ([a, b, c, d]) => `${a}.${b * 65_536 + c * 256 + d}`,
  (address) => address.join('。').replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
]

it('[R35,OG2] the notation of an IPv4 address changes nothing', () => {
  fc.assert(
    fc.property(octets, (address) => {
      const expected = isPublicAddress(address.join('.'))
      for (const notation of notations) expect(accepts(notation(address)), notation(address)).toBe(expected)
    }),
    { numRuns: 500 },
  )
})

const privateOctets = fc.oneof(
  fc.tuple(fc.constantFrom(0, 10, 127, 224, 239, 240, 255), octet, octet, octet),
  fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
  fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
  fc.tuple(fc.constant(198), fc.integer({ min: 18, max: 19 }), octet, octet),
)

it('[R35,OG2] no private IPv4 address is accepted in any notation', () => {
  fc.assert(
    fc.property(privateOctets, fc.constantFrom(...notations), (address, notation) => {
      expect(accepts(notation(address))).toBe(false)
    }),
    { numRuns: 500 },
  )
})

it('[R35,OG2] no IPv6 address that carries an IPv4 address is accepted, whichever it carries', () => {
  const carriers: ((high: string, low: string) => string)[] = [
    (high, low) => `::ffff:${high}:${low}`,
    (high, low) => `::${high}:${low}`,
    (high, low) => `::ffff:0:${high}:${low}`,
    (high, low) => `64:ff9b::${high}:${low}`,
    (high, low) => `64:ff9b:1::${high}:${low}`,
    (high, low) => `2002:${high}:${low}::1`,
    (high, low) => `2001:0:${high}:${low}::1`,
    (high, low) => `2a00:1450::5efe:${high}:${low}`,
  ]
  fc.assert(
    fc.property(octets, fc.constantFrom(...carriers), ([a, b, c, d], carry) => {
      expect(accepts(`[${carry(hex(a * 256 + b), hex(c * 256 + d))}]`)).toBe(false)
    }),
    { numRuns: 500 },
  )
})

it('[R35,OG2] of IPv6, only global unicast is accepted', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  fc.assert(
    fc.property(fc.tuple(group, group, group, group, group, group, group, group), (groups) => {
      const address = groups.map((part) => hex(part)).join(':')
      expect(isIPv6(address)).toBe(true)
      if (groups[0] >> 13 !== 1) expect(accepts(`[${address}]`)).toBe(false)
      expect(accepts(`[${address}]`)).toBe(isPublicAddress(address))
    }),
    { numRuns: 500 },
  )
})

it('[R35,OG2] only what systems print is an address', () => {
  for (const text of [
    '',
    '8.8.8',
    '08.8.8.8',
    '0x8.8.8.8',
    '8.8.8.8 ',
    '2606:4700::1%lo',
    'example.org',
    '134744072',
  ])
    expect(isPublicAddress(text), text).toBe(false)
})
