import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { participantRoutes } from '@atrium/contract'
import {
  type Api,
  createApi,
  createPerson,
  createResearcher,
  createTemporaryFolder,
  numberedEvent,
  openRoomSocket,
  type Server,
  startServer,
  succeeded,
  waitUntil,
} from '@atrium/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const hour = 60 * 60_000
const shifted = new URL('../cluster/shifted-clock.mjs', import.meta.url).href

describe('[R15][S6] while the clock of its machine jumps, a server', () => {
  const folder = createTemporaryFolder('clock')
  const file = join(folder.path, 'shift')
  const shiftBy = (ms: number) => writeFileSync(file, String(ms))
  let server: Server
  let api: Api
  beforeAll(async () => {
    shiftBy(0)
    server = await startServer({
      env: { NODE_OPTIONS: `--import=${shifted}`, SHIFT_CLOCK_FILE: file },
    })
    api = createApi(() => server.http)
  })
  afterAll(async () => {
    await server?.stop()
    folder.remove()
  })

  const isNow = (time: string) => expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(hour / 2)

  test.each([25 * hour, -hour])('keeps sessions alive and records correct times (%i ms)', async (jump) => {
    const experimentId = await (await createResearcher(api)).openExperiment()
    const early = await (await createPerson(api)).join(experimentId)
    const send = async (session: { sessionId: string }, value: number) =>
      succeeded(
        await api.call(participantRoutes.eventsV4, { session, body: { events: [numberedEvent(value)] } }),
      ).data
    isNow((await send(early, 1)).serverTimestamp)
    shiftBy(jump)
    isNow((await send(early, 2)).serverTimestamp)
    const late = await (await createPerson(api)).join(experimentId)
    expect(Math.abs(Date.parse(late.expiresAt) - Date.now() - 24 * hour)).toBeLessThan(hour / 2)
    shiftBy(0)
    for (const session of [early, late]) isNow((await send(session, 3)).serverTimestamp)
  })

  test.each([25 * hour, -hour])('keeps the deadlines of its rooms (%i ms)', async (jump) => {
    const researcher = await createResearcher(api)
    const timed = (id: string) => ({ id, components: [], end: { on: 'timed' as const, afterMs: 1_000 } })
    const experimentId = await researcher.openExperiment({
      name: 'Timed',
      states: [timed('first'), timed('second'), { id: 'after', components: [] }],
    })
    const room = await openRoomSocket(server.http, await (await createPerson(api)).join(experimentId))
    shiftBy(jump)
    await room.event('state_entered', ({ state }) => state.id === 'after')
    expect(Math.abs(room.snapshot().serverTime - Date.now())).toBeLessThan(hour / 2)
    room.close()
    shiftBy(0)
  })

  test('reports it in its log', async () => {
    await waitUntil(() => server.stderr().includes('the clock has jumped') || 'nothing yet')
  })
})
