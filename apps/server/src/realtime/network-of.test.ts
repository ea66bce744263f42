import { expect, it } from 'vitest'
import { networkOf } from './network-of.ts'

it('[R24] IPv6 addresses of one network of 64 bits are one, however they are written', () => {
  const same = [
    '2001:db8:0:7::1',
    '2001:DB8:0:7:ffff:1:2:3',
    '2001:0db8:0000:0007::',
    '2001:db8:0:7::192.0.2.1',
    '2001:db8:0:7::1%eth0',
  ]
  expect(new Set(same.map(networkOf))).toEqual(new Set(['2001:db8:0:7::/64']))
  expect(networkOf('2001:db8:0:8::1')).toBe('2001:db8:0:8::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect([networkOf('::1'), networkOf('1:2:3:4:5:6:7:8')]).toEqual(['0:0:0:0::/64', '1:2:3:4::/64'])
})

it('[R24] IPv4 addresses stand for themselves, inside IPv6 too, and so does what is no address', () => {
  for (const address of ['192.0.2.1', 'nonsense', '', 'g::1', '[::1]', '::1]/'])
    expect(networkOf(address)).toBe(address)
  expect(networkOf('::ffff:192.0.2.1')).not.toBe(networkOf('::ffff:192.0.2.2'))
  expect(networkOf('::ffff:192.0.2.1')).toBe(networkOf('::ffff:c000:201'))
})
