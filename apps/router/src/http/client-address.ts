import type { IncomingMessage } from 'node:http'
import { networkOf } from '@atrium/program'
import proxyAddr from '@fastify/proxy-addr'

/** Who sends a request, as far as that can be believed. */
export interface ClientAddress {
  /** Of the client itself, or of the farthest proxy that is believed. */
  address: string
  /** What one client may be assumed to have: this address alone, or the /64 of an IPv6 address. */
  network: string
  /** X-Forwarded-For: nearest last. */
  forwardedFor: string
  scheme: string
  host: string | undefined
}

export type ClientAddressOf = (request: IncomingMessage) => ClientAddress

/**
 * What a client says of itself is passed on only as far as TRUST_PROXY vouches for it: of X-Forwarded-For what trusted
 * proxies added, of the other two what the nearest proxy said. So a backend may believe all of it.
 */
export function createClientAddressOf(trustProxy: boolean | number | string): ClientAddressOf {
  const isTrusted = trustIn(trustProxy)
  return (request) => {
    const { headers, socket } = request
    const peer = socket.remoteAddress ?? 'unknown'
    if (!isTrusted?.(peer, 0))
      return {
        address: peer,
        network: networkOf(peer),
        forwardedFor: peer,
        scheme: 'http',
        host: headers.host,
      }
    // Nearest first; the header has the nearest last.
    const hops = proxyAddr.all(request, isTrusted).reverse()
    const address = hops[0] ?? peer
    return {
      address,
      network: networkOf(address),
      forwardedFor: hops.join(', '),
      scheme: textOf(headers['x-forwarded-proto']) ?? 'http',
      host: textOf(headers['x-forwarded-host']) ?? headers.host,
    }
  }
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value

function trustIn(
  setting: boolean | number | string,
): ((address: string, hop: number) => boolean) | undefined {
  if (setting === false) return undefined
  if (setting === true) return () => true
  if (typeof setting === 'number') return (_address, hop) => hop < setting
  return proxyAddr.compile(setting.split(',').map((part) => part.trim()))
}
