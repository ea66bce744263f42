import { isIP } from 'node:net'
import { isPublicAddress } from './public-address.ts'

/** A base URL has up to 2,000 characters. */
const maxUrlChars = 2_100

/** Ends of names that mean something only inside a network, whatever a resolver makes of them. */
const privateEnds = new Set(
  'alt arpa corp home internal intranet invalid lan local localdomain localhost mail onion private svc test'.split(
    ' ',
  ),
)

/** Two labels or more; the last one begins with a letter, so that nothing can take the name for a number. */
const domainName =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** What requests may go to; undefined for everything else. Nothing is looked up yet. */
export function acceptedUrl(text: string, hosted: boolean): URL | undefined {
  if (text.length > maxUrlChars) return undefined
  const url = parse(text)
  if (url === undefined || url.username !== '' || url.password !== '') return undefined
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined
  return !hosted || isAcceptedWhenHosted(url) ? url : undefined
}

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

/** R35. */
const isAcceptedWhenHosted = (url: URL): boolean =>
  url.protocol === 'https:' && isAcceptedPort(url.port) && isAcceptedHost(hostOf(url))

/** Without the brackets of an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1')

/** Ports below 1024 other than that of https belong to services such as mail, which must not get our requests. */
const isAcceptedPort = (port: string): boolean => port === '' || Number(port) >= 1_024

/**
 * `URL` has resolved every notation by now: decimal, octal, hexadecimal and short IPv4 addresses, full-width digits,
 * other dots and percent signs all are four decimal numbers, and host names are ASCII in lower case.
 */
function isAcceptedHost(host: string): boolean {
  if (isIP(host) !== 0) return isPublicAddress(host)
  const name = host.replace(/\.$/, '')
  return domainName.test(name) && !privateEnds.has(name.slice(name.lastIndexOf('.') + 1))
}
