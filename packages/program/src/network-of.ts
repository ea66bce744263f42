import { isIPv6 } from 'node:net'

/**
 * The client that an address belongs to. Providers give every customer at least a /64, whose addresses cost nothing:
 * all of them count as one client. An IPv4 address is one client, even when written as IPv6.
 */
export function networkOf(address: string): string {
  const [withoutZone = ''] = address.split('%')
  if (!isIPv6(withoutZone)) return address
  const groups = groupsOf(withoutZone)
  const [high = 0, low = 0] = groups.slice(6)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  const prefix = groups.slice(0, 4).map((group) => group.toString(16))
  return `${prefix.join(':')}::/64`
}

function groupsOf(address: string): number[] {
  // In URL form: no dots, and zeros left out in one place at most.
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = [], after = []] = written.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}
