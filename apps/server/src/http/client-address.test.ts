import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { asTrustProxy, createClientAddress } from './client-address.ts'

const said = [
  undefined,
  '203.0.113.9',
  '198.51.100.1, 203.0.113.9',
  '203.0.113.9, 10.0.0.7, 127.0.0.1',
  'nonsense,',
]

it.each([false, true, 0, 1, 2, 'loopback', '127.0.0.1', 'loopback, 10.0.0.0/8', '192.0.2.1'])(
  '[R13] with TRUST_PROXY=%s the client has the address that Fastify finds',
  async (setting) => {
    const addressOf = createClientAddress(setting)
    const app = Fastify({ trustProxy: asTrustProxy(setting) })
    app.get('/', (request) => ({ fastify: request.ip, ours: addressOf(request.raw) }))
    for (const forwardedFor of said) {
      const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
      const { fastify, ours } = (await app.inject({ url: '/', headers })).json()
      expect(ours).toBe(fastify)
    }
    await app.close()
  },
)
