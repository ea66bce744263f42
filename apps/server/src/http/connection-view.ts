import { type ConnectionView, claimedAddress } from '@atrium/contract'
import type { FastifyRequest } from 'fastify'

/** How the server sees a connection, without an address: those of proxies are nobody's business. */
export function connectionView({ ip, socket, headers, protocol }: FastifyRequest): ConnectionView {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
  return {
    client: ip === claimedAddress ? 'caller' : ip === socket.remoteAddress ? 'connection' : 'proxy',
    isForwarded: forwarded.some((part) => !['', claimedAddress].includes(part.trim())),
    protocol: protocol === 'https' ? 'https' : 'http',
  }
}
