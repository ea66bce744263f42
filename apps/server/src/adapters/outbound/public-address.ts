import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { AppError } from '../../kernel/app-error.ts'

/** What ipaddr.js takes for ordinary, but which leads to the inside of a cloud. */
const cloudNetworks = [
  '168.63.129.16/32', // Azure: the host's agent
  '161.26.0.0/16', // IBM: services for its own machines
  '166.8.0.0/14', // IBM: private endpoints
  '199.36.153.4/30', // Google: restricted.googleapis.com
  '199.36.153.8/30', // Google: private.googleapis.com
].map((network) => ipaddr.IPv4.parseCIDR(network))

/** All that has been given out for unicast; whatever else is routed is private, or a tunnel, or new. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

const notPublic = [
  '2001::/23', // Protocols: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // Documentation
  '2002::/16', // 6to4 carries an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // Documentation
].map((network) => ipaddr.IPv6.parseCIDR(network))

/**
 * Whether this is the address of a machine on the public internet. It takes only what the system itself prints: an
 * IPv4 address of four decimal numbers or an IPv6 address without a zone. Any other notation is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  return parsed instanceof ipaddr.IPv4 ? isPublicIpv4(parsed) : isPublicIpv6(parsed)
}

const isPublicIpv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && !cloudNetworks.some((network) => address.match(network))

const isPublicIpv6 = (address: ipaddr.IPv6): boolean =>
  address.match(globalUnicast) && !notPublic.some((network) => address.match(network)) && !isIsatap(address)

/** ISATAP (RFC 5214): under any prefix, such an interface is a tunnel to the IPv4 address in the last four bytes. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const [, , , , flags = 0, marker] = parts
  return (flags & ~0x300) === 0 && marker === 0x5efe
}

/** One spelling for each address, to compare addresses. */
export const canonical = (address: string): string =>
  ipaddr.isValid(address) ? ipaddr.process(address).toNormalizedString() : address

/**
 * The same for every address: whether it is private, does not exist or does not answer is nobody's business, because
 * the differences would map the network that we are in. It therefore has neither details nor a cause.
 */
export const addressRefused = (): AppError => new AppError('AGENT_ADDRESS_REFUSED')
