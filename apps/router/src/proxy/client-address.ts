import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

/** Adds to the headers who asks, by which scheme and for which host. */
export type NameClient = (request: IncomingMessage, headers: string[]) => void

/**
 * What a client says of itself is passed on only as far as TRUST_PROXY vouches for it: of X-Forwarded-For what trusted
 * proxies added, of the other two what the nearest proxy said. So a backend may believe all of it.
 */
export function createNameClient(trustProxy: boolean | number | string): NameClient {
  const isTrusted = trustIn(trustProxy)
  return (request, headers) => {
    const peer = request.socket.remoteAddress ?? 'unknown'
    const isPeerTrusted = isTrusted?.(peer, 0) ?? false
    const said = isPeerTrusted ? request.headers : {}
    headers.push(
      'x-forwarded-for',
      // Nearest first; the header has the nearest last.
      isTrusted && isPeerTrusted ? proxyAddr.all(request, isTrusted).reverse().join(', ') : peer,
      'x-forwarded-proto',
      textOf(said['x-forwarded-proto']) ?? 'http',
    )
    const host = textOf(said['x-forwarded-host']) ?? request.headers.host
    if (host !== undefined) headers.push('x-forwarded-host', host)
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
