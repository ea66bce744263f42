import type { IncomingMessage } from 'node:http'
import { networkOf } from '@atrium/program'
import proxyAddr from '@fastify/proxy-addr'

/** Where a request comes from, as far as the configuration trusts what the request says. */
export interface ClientAddress {
  /** The client's own address, or that of the farthest trusted proxy. */
  address: string
  /** What a single client can be assumed to control: one IPv4 address, or the /64 of an IPv6 address. */
  network: string
  /** The value of X-Forwarded-For, nearest hop last. */
  forwardedFor: string
  scheme: string
  host: string | undefined
  /** The trace that a trusted proxy has begun. Strangers could otherwise write into any trace. */
  traceparent: string | undefined
}

export type ClientAddressOf = (request: IncomingMessage) => ClientAddress

/**
 * Forwards what a request says about its client only as far as TRUST_PROXY vouches for it: the part of X-Forwarded-For
 * that trusted proxies added, and scheme and host as the nearest proxy reported them. Backends can trust all of it.
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
        traceparent: undefined,
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
      traceparent: textOf(headers.traceparent),
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
