import { Resolver } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { addressRefused, canonical, isPublicAddress } from './public-address.ts'

/** All addresses of a name; empty if it has none. */
export type Resolve = (hostname: string) => Promise<string[]>

/** Real names have a handful. A name with hundreds would have us knock at each of them. */
const maxAddresses = 8

/**
 * Asks the name servers themselves. The system's own look-up would also read local host names, and while it waits for a
 * slow name server, it holds one of the few threads that files and hashes need too.
 */
export function createDnsResolve(servers?: string[]): Resolve {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** An address of this machine is reached past the firewall in front of it, even if it is public. */
export const ownAddressesOf = (interfaces = networkInterfaces()): string[] =>
  Object.values(interfaces).flatMap((addresses = []) => addresses.map(({ address }) => address))

/** R35: whether a connection to this address is allowed. */
export const isAllowedAddress = (address: string, ownAddresses: () => string[]): boolean =>
  isPublicAddress(address) && !ownAddresses().some((own) => canonical(own) === canonical(address))

/**
 * A look-up for `net.connect`: it resolves a name once, and what it hands over is exactly what it has checked. One bad
 * address among good ones is an attempt, so the name is refused.
 */
export const createPublicLookup =
  (resolve: Resolve, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, { all }, callback) => {
    const refuse = () => callback(addressRefused(), [])
    resolve(hostname).then((addresses) => {
      const [first] = addresses
      if (first === undefined || !addresses.every(isAllowed)) return refuse()
      const found = addresses
        .slice(0, maxAddresses)
        .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
      return all ? callback(null, found) : callback(null, first, found[0]?.family)
    }, refuse)
  }
