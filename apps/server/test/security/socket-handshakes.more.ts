import { limits, participantRoutes } from '@atrium/contract'
import { codeOf, createApi, describeInOneMode, smallestDefinition, waitUntil } from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { openRawSocket, type RawSocket } from '../rooms/raw-socket.ts'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { type HandshakeOptions, type Presented, shakeHands } from './shake-hands.ts'

const solo = smallestDefinition()
const pair = smallestDefinition({ matching: { groupSize: 2 } })
const untilClosed = (socket: RawSocket) => waitUntil(() => socket.isClosed() || 'it is still open')

/** Upgrades the transport, like a client that polled first and then switches to a websocket. */
async function moveTo(address: string, query: string): Promise<'moved' | 'refused'> {
  const second = await openRawSocket(address, query).catch(() => undefined)
  if (!second) return 'refused'
  second.send('2probe')
  await waitUntil(() => second.received.includes('3probe') || second.isClosed() || 'no answer')
  if (second.isClosed()) return 'refused'
  second.send('5')
  return 'moved'
}

/** Every test claims its own address, so that failures of other tests do not count against it. */
let addresses = 0
const anAddress = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` })

describeInOneMode(
  'A handshake',
  (world) => {
    const table = tableIn(world)

    async function codeFor(namespace: string, options: HandshakeOptions): Promise<string> {
      const { code, socket } = await shakeHands(table.server().http, namespace, options)
      socket.close()
      return code
    }

    it('[R24] is refused with a code in unknown namespaces and from pages of other sites', async () => {
      const session = await table.join(await table.open(solo))
      for (const namespace of ['/', '', '/nothing', '/__proto__', '/experiment/', '/_1'])
        expect(await codeFor(namespace, { session }), namespace).toBe('NOT_FOUND')
      const query = { roomId: session.roomId }
      for (const origin of ['https://evil.example', 'null', 'nonsense'])
        for (const namespace of ['/', '/nothing', '/experiment', '/waiting'])
          expect(await codeFor(namespace, { session, query, headers: { origin } }), origin).toBe('FORBIDDEN')
      const headers = { origin: table.server().http }
      expect(await codeFor('/experiment', { session, query, headers })).toBe('connected')
    })

    it('[R24] closes the connection if it is refused', async () => {
      for (const packet of ['40', '40/nothing,', '40/waiting,{}', '40/experiment,{"sessionId":1}']) {
        const stranger = await openRawSocket(table.server().http, '', anAddress())
        stranger.send(packet)
        await untilClosed(stranger)
        expect(stranger.received.filter((one) => one.startsWith('44')).join()).toMatch(/"code":"[A-Z_]+"/)
      }
    })

    it('[R16] cannot name another experiment or room', async () => {
      const [own, other] = [await table.open(solo), await table.open(pair)]
      const session = await table.join(own)
      const { roomId } = session
      const waiting = await table.join(other)
      expect(await codeFor('/experiment', { session, query: { roomId, experimentId: own } })).toBe(
        'connected',
      )
      for (const experimentId of [other, 'nothing', ''])
        for (const [namespace, query] of [
          ['/experiment', { roomId, experimentId }],
          ['/waiting', { experimentId }],
        ] as const)
          expect(await codeFor(namespace, { session, query })).toBe('SESSION_MISMATCH')
      for (const query of [{}, { roomId: waiting.roomId }, { experimentId: other }])
        expect(await codeFor('/waiting', { session: waiting, query })).toBe('connected')
      for (const query of [{ roomId }, { roomId: 'room_nothing' }, { roomId: '' }])
        expect(await codeFor('/waiting', { session: waiting, query })).toBe('SESSION_MISMATCH')
      // Twice in the query, once wrong.
      const twice = await openRawSocket(table.server().http, `&roomId=room_x&roomId=${roomId}`)
      const { sessionId, sessionToken } = session
      twice.send(`40/experiment,${JSON.stringify({ sessionId, sessionToken })}`)
      await untilClosed(twice)
      expect(twice.received.join()).toContain('SESSION_MISMATCH')
    })

    it('[R10] counts as failed authentication if it fails; valid credentials from the same address still pass', async () => {
      const headers = anAddress()
      const session = await table.join(await table.open(solo))
      const wrong = { ...session, sessionToken: `stkn_${'A'.repeat(43)}` }
      const api = createApi(() => table.server().http)
      const failOverHttp = async () =>
        codeOf(await api.call(participantRoutes.discoverV4, { session: wrong, headers }))
      const tries: (Presented | undefined)[] = [
        wrong,
        undefined,
        { ...session, sessionId: `sess_${'A'.repeat(43)}` },
      ]
      const codes: string[] = []
      while (codes.length < limits.failedAuthenticationsPerWindow - 1) {
        const presented = tries[codes.length % tries.length]
        const namespace = codes.length % 2 ? '/experiment' : '/waiting'
        codes.push(await codeFor(namespace, { headers, ...(presented && { session: presented }) }))
      }
      expect(new Set(codes)).toEqual(new Set(['SESSION_INVALID']))
      expect(await failOverHttp()).toBe('SESSION_INVALID')
      // HTTP and sockets share one count.
      expect(await failOverHttp()).toBe('RATE_LIMITED')
      const refused = await shakeHands(table.server().http, '/waiting', { session: wrong, headers })
      expect(refused.data).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) })
      expect(await codeFor('/experiment', { session, query: { roomId: session.roomId }, headers })).toBe(
        'connected',
      )
      expect(await codeFor('/waiting', { session: wrong, headers: anAddress() })).toBe('SESSION_INVALID')
    })

    it('[R10] a connection cannot be used to guess sessions', async () => {
      const stranger = await openRawSocket(table.server().http, '', anAddress())
      for (let tries = 0; tries < 500; tries++)
        stranger.send(`40/waiting,{"sessionId":"sess_${tries}","sessionToken":"x"}`)
      await untilClosed(stranger)
      expect(stranger.received.filter((packet) => packet.startsWith('44')).length).toBeLessThan(10)
    })

    it('[R24] a second handshake for a namespace while the first is pending closes the connection', async () => {
      const { sessionId, sessionToken } = await table.join(await table.open(pair))
      const greedy = await openRawSocket(table.server().http)
      for (let times = 0; times < 50; times++)
        greedy.send(`40/waiting,${JSON.stringify({ sessionId, sessionToken })}`)
      await untilClosed(greedy)
      expect(greedy.received.filter((packet) => packet.startsWith('40')).length).toBeLessThan(2)
    })

    it('[R24] a client that has left every namespace is disconnected', async () => {
      const { sessionId, sessionToken } = await table.join(await table.open(pair))
      const guest = await openRawSocket(table.server().http)
      guest.send(`40/waiting,${JSON.stringify({ sessionId, sessionToken })}`)
      await waitUntil(() => guest.received.some((packet) => packet.startsWith('40')) || 'not in yet')
      guest.send('41/waiting,')
      await untilClosed(guest)
    })

    it('[R24] a connection cannot be moved to a second websocket, and frees its place when it closes', async () => {
      const places = async (): Promise<number> => {
        const text = await (await fetch(`${table.server().metrics}/metrics`)).text()
        const line = text.split('\n').find((one) => one.startsWith('socketio_connected_clients'))
        return Number(line?.split(' ').at(-1) ?? 0)
      }
      await waitUntil(async () => (await places()) === 0 || 'others are still connected')
      const { sessionId, sessionToken } = await table.join(await table.open(pair))
      const guest = await openRawSocket(table.server().http)
      guest.send(`40/waiting,${JSON.stringify({ sessionId, sessionToken })}`)
      await waitUntil(() => guest.received.some((packet) => packet.startsWith('40')) || 'not in yet')
      const { sid } = JSON.parse(guest.received[0]?.slice(1) ?? '{}') as { sid: string }
      for (const query of [`&sid=${sid}`, `&%73id=${sid}`, `&sid=&sid=${sid}`])
        expect(await moveTo(table.server().http, query), query).toBe('refused')
      expect(await places()).toBe(1)
      expect(guest.isClosed()).toBe(false)
      guest.send('40/nothing,')
      await waitUntil(() => guest.received.some((packet) => packet.startsWith('44/nothing')) || 'not heard')
      guest.close()
      await waitUntil(async () => (await places()) === 0 || 'its place is not free')
    })

    it('[R26] too many valid handshakes of one participant are refused; others are not affected', async () => {
      const experimentId = await table.open(pair)
      const [restless, calm] = [await table.join(experimentId), await table.join(experimentId)]
      const codes = await Promise.all(
        Array.from({ length: 150 }, () => codeFor('/waiting', { session: restless })),
      )
      expect(codes.filter((code) => code === 'connected').length).toBeGreaterThanOrEqual(20)
      expect(codes).toContain('RATE_LIMITED')
      expect(await codeFor('/waiting', { session: calm })).toBe('connected')
    })

    it('[R24] 1,100 connections without a session keep nobody out and are eventually closed', async () => {
      const session = await table.join(await table.open(solo))
      const early = await table.connect(session)
      const strangers: RawSocket[] = []
      onTestFinished(() => {
        for (const stranger of strangers) stranger.close()
      })
      for (let count = 0; count < 1_100; count += 50)
        strangers.push(
          ...(await Promise.all(Array.from({ length: 50 }, () => openRawSocket(table.server().http)))),
        )
      const late = await Promise.all(
        Array.from({ length: 20 }, async () => table.connect(await table.join(await table.open(solo)))),
      )
      for (const room of [early, ...late])
        await acknowledged(room.act('submit_response', { componentId: 'c1', value: 5 }))
      await waitUntil(() => strangers.every((stranger) => stranger.isClosed()) || 'some are still open')
      expect(early.isConnected()).toBe(true)
      for (const room of [early, ...late]) room.close()
    })
  },
  { env: { TRUST_PROXY: 'true' } },
)
