import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Lines of headers that say who asks, by which scheme and for which host. */
export type NameClient = (request: IncomingMessage) => string

/**
 * What a client says of itself is passed on only as far as TRUST_PROXY vouches for it: of X-Forwarded-For what trusted
 * proxies added, of the other two what the nearest proxy said. So a backend may believe all of it.
 */
export function createNameClient(trustProxy: boolean | number | string): NameClient {
  const isTrusted = trustIn(trustProxy)
  return (request) => {
    const peer = request.socket.remoteAddress ?? 'unknown'
    const isPeerTrusted = isTrusted?.(peer, 0) ?? false
    const said = isPeerTrusted ? request.headers : {}
    // Nearest first; the header has the nearest last.
    const way = isTrusted && isPeerTrusted ? proxyAddr.all(request, isTrusted).reverse().join(', ') : peer
    const scheme = textOf(said['x-forwarded-proto']) ?? 'http'
    const host = textOf(said['x-forwarded-host']) ?? request.headers.host
    const forHost = host === undefined ? '' : `x-forwarded-host: ${host}\r\n`
    return `x-forwarded-for: ${way}\r\nx-forwarded-proto: ${scheme}\r\n${forHost}`
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
