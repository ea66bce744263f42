import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'

export type TrustProxy = boolean | number | string

/** A number is the count of proxies in front of us; Fastify asks hop by hop. */
export const asTrustProxy = (setting: TrustProxy) =>
  typeof setting === 'number' ? (_address: string, hop: number) => hop < setting : setting

/** The client's address for requests that Fastify does not see, found in the same way as `request.ip`. */
export function createClientAddress(setting: TrustProxy): (request: IncomingMessage) => string {
  const isTrusted = trustIn(setting)
  return (request) => proxyAddr(request, isTrusted) ?? ''
}

/** Whether what a request says about itself comes from a proxy that is trusted. */
export function createPeerTrust(setting: TrustProxy): (request: IncomingMessage) => boolean {
  const isTrusted = trustIn(setting)
  return ({ socket }) => isTrusted(socket.remoteAddress ?? '', 0)
}

function trustIn(setting: TrustProxy): (address: string, hop: number) => boolean {
  const trust = asTrustProxy(setting)
  if (typeof trust === 'boolean') return () => trust
  if (typeof trust === 'function') return trust
  return proxyAddr.compile(trust.split(',').map((part) => part.trim()))
}
