import { participantRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  createResearcher,
  describeInOneMode,
  succeeded,
  type World,
} from '@atrium/testkit'
import { expect, it } from 'vitest'
import { shakeHands } from './shake-hands.ts'

async function joinFrom(world: World, headers: Record<string, string>) {
  const api = createApi(() => world.front().http)
  const experimentId = await (await createResearcher(api)).openExperiment()
  const { token } = await createPerson(api)
  const answer = await api.call(participantRoutes.joinV4, { token, headers, body: { experimentId } })
  return succeeded(answer).data
}

async function codeFrom(world: World, session: Awaited<ReturnType<typeof joinFrom>>, forwardedFor?: string) {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  const options = { session, query: { roomId: session.roomId }, headers }
  const { code, data, socket } = await shakeHands(world.front().http, '/experiment', options)
  socket.close()
  return data?.reason ? `${code} ${data.reason}` : code
}

describeInOneMode(
  'A socket of a session bound to an address, behind a proxy',
  (world) => {
    it('[R13] is accepted only from the address of the join', async () => {
      const session = await joinFrom(world(), { 'x-forwarded-for': '203.0.113.9' })
      expect(await codeFrom(world(), session, '203.0.113.9')).toBe('connected')
      // What the client claims comes before the address that our proxy saw.
      expect(await codeFrom(world(), session, '198.51.100.1, 203.0.113.9')).toBe('connected')
      for (const elsewhere of ['203.0.113.10', '203.0.113.9, 203.0.113.10', undefined])
        expect(await codeFrom(world(), session, elsewhere)).toBe('SESSION_INVALID ip_address')
    })
  },
  { env: { SESSION_BIND_IP: 'true', TRUST_PROXY: 'loopback' }, servers: 1 },
)

describeInOneMode(
  'A socket of a session bound to an address, without a trusted proxy',
  (world) => {
    it('[R13] X-Forwarded-For changes nothing', async () => {
      const session = await joinFrom(world(), {})
      for (const said of [undefined, '203.0.113.9', 'nonsense'])
        expect(await codeFrom(world(), session, said)).toBe('connected')
      const foreign = await joinFrom(world(), { 'x-forwarded-for': '203.0.113.9' })
      expect(await codeFrom(world(), foreign)).toBe('connected')
    })
  },
  { env: { SESSION_BIND_IP: 'true' }, servers: 1 },
)

describeInOneMode(
  'A socket of a session bound to an address, through the router',
  (world) => {
    it('[R13] is accepted like HTTP', async () => {
      const session = await joinFrom(world(), {})
      expect(await codeFrom(world(), session)).toBe('connected')
    })
  },
  { env: { SESSION_BIND_IP: 'true', TRUST_PROXY: '1' }, router: true, mode: 'cluster' },
)
