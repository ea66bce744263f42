import { isIPv6 } from 'node:net'

/**
 * Whose an address is, as far as one can tell: with IPv6 a household or a server has at least 64 bits of addresses, and may
 * come from another one each time. Anything else stands for itself.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  // The same address can be written in many ways, IPv4 inside included; a URL writes it in one.
  const written = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const [before = [], after = []] = written.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const groups = [...before, ...zeros, ...after]
  const holdsIPv4 = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return holdsIPv4 ? written : `${groups.slice(0, 4).join(':')}::/64`
}
