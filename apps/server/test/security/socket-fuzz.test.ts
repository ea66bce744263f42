import { ClockPong, RoomAck } from '@atrium/contract'
import { createResearcher, describeInOneMode, isLongRun, type RoomSocket, waitUntil } from '@atrium/testkit'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRawSocket, type RawSocket } from '../rooms/raw-socket.ts'
import { acknowledged, tableIn } from '../rooms/table.ts'
import { seeded } from '../seed.ts'
import { frames, type Shot, shots } from './socket-shots.ts'

const timed = { on: 'timed' as const, afterMs: 3_600_000 }
const study = {
  name: 'Under fire',
  states: [
    {
      id: 'ask',
      components: [
        { id: 'rate', type: 'slider', required: false },
        { id: 'note', type: 'text_input', required: false },
        { id: 'chat', type: 'chat' },
        // In step although everyone is alone here, and commanded by everyone.
        { id: 'film', type: 'video', src: '/film.mp4', controlledBy: 'viewer' },
      ],
      end: timed,
    },
    { id: 'bye', components: [] },
  ],
  roles: ['viewer'],
}
const acks = Compile(RoomAck)
const pongs = Compile(ClockPong)
/** Set FUZZ_RUNS for a longer run. */
const runs = Number(process.env.FUZZ_RUNS ?? (isLongRun ? 150 : 50))
const namespaces = ['/experiment', '/waiting', '/sync', '/console'] as const
const patient = { timeoutMs: 240_000 }

describeInOneMode('Random and hostile packets', (world) => {
  const table = tableIn(world)
  let neighbour: RoomSocket
  let people: Awaited<ReturnType<typeof table.join>>[]
  let researchers: { token: string }[]
  let turn = 0

  beforeAll(async () => {
    const experimentId = await table.open(study)
    neighbour = await table.connect(await table.join(experimentId, 'viewer'))
    people = await Promise.all(Array.from({ length: 12 }, () => table.join(experimentId, 'viewer')))
    researchers = await Promise.all(people.map(() => createResearcher(table.api)))
  })
  afterAll(() => neighbour?.close())

  /** Connects as the next person; undefined if that person has connected too often. */
  async function enter(namespace: (typeof namespaces)[number]): Promise<RawSocket | undefined> {
    const next = turn++ % people.length
    const { sessionId = '', sessionToken = '', roomId = '' } = people[next] ?? {}
    const auth =
      namespace === '/console' ? { idToken: researchers[next]?.token } : { sessionId, sessionToken }
    const socket = await openRawSocket(table.server().http, `&roomId=${roomId}`)
    socket.send(`40${namespace},${JSON.stringify(auth)}`)
    const told = () => socket.received.find((packet) => /^4[04]/.test(packet))
    await waitUntil(() => told() !== undefined || socket.isClosed() || 'no response yet', patient)
    return told()?.startsWith('40') ? socket : undefined
  }

  async function expectUnharmed(): Promise<void> {
    await acknowledged(neighbour.act('send_message', { text: 'I notice nothing' }))
    for (const { http } of world().servers) expect((await fetch(`${http}/health/live`)).status).toBe(200)
  }

  test('[R26,R40] every event that requests an acknowledgement gets one that matches the contract', async () => {
    const codes = new Set<string>()
    const entered = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...namespaces),
        fc.array(shots, { minLength: 1, maxLength: 5 }),
        async (namespace, volley) => {
          const socket = await enter(namespace)
          if (!socket) return
          entered.set(namespace, (entered.get(namespace) ?? 0) + 1)
          for (const [index, shot] of volley.entries()) socket.send(packetOf(namespace, shot, index))
          for (const index of volley.keys()) codes.add(await answerTo(socket, namespace, index))
          socket.close()
        },
      ),
      { ...seeded, numRuns: runs, endOnFailure: true },
    )
    expect(codes).not.toContain('INTERNAL')
    // A fuzzer that never connects proves nothing.
    expect([...codes]).toEqual(expect.arrayContaining(['ok', 'VALIDATION_FAILED', 'NOT_FOUND']))
    expect([...entered.values()].reduce((sum, times) => sum + times, 0)).toBeGreaterThan(runs / 3)
    expect([...entered.keys()]).toEqual(expect.arrayContaining(['/experiment', '/sync', '/console']))
    await expectUnharmed()
  })

  test('[R26,R40] malformed frames affect at most their own connection', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(undefined, ...namespaces),
        fc.array(frames, { minLength: 1, maxLength: 4 }),
        async (namespace, volley) => {
          const socket = namespace ? await enter(namespace) : await openRawSocket(table.server().http)
          if (!socket) return
          for (const frame of volley) if (!socket.isClosed()) socket.send(frame)
          socket.close()
        },
      ),
      { ...seeded, numRuns: runs, endOnFailure: true },
    )
    await expectUnharmed()
  })
})

const packetOf = (namespace: string, { name, payloads }: Shot, index: number): string =>
  `42${namespace},${index}${JSON.stringify([name, ...payloads])}`

/** The code of the acknowledgement, or `ok`. */
async function answerTo(socket: RawSocket, namespace: string, index: number): Promise<string> {
  const start = `43${namespace},${index}[`
  const answer = () => socket.received.find((packet) => packet.startsWith(start))
  await waitUntil(() => {
    if (socket.isClosed()) throw new Error(`closed before ${start}`)
    return answer() !== undefined || `no ${start} among ${socket.received.join('\n')}`
  }, patient)
  const [ack] = JSON.parse((answer() ?? '').slice(start.length - 1)) as unknown[]
  if (pongs.Check(ack)) return 'pong'
  if (!acks.Check(ack)) throw new Error(`not an acknowledgement: ${JSON.stringify(ack)}`)
  const { ok, error } = ack as { ok: boolean; error?: { code: string } }
  return ok ? 'ok' : String(error?.code)
}
