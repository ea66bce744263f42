import {
  describeInOneMode,
  openRoomSocket,
  openSyncSocket,
  type SocketSession,
  waitUntil,
} from '@atrium/testkit'
import { expect, it, onTestFinished } from 'vitest'
import { readEveryFormat } from '../exports/read-files.ts'
import { acknowledged, refused, tableIn } from './table.ts'

const video = { id: 'film', type: 'video', src: '/film.mp4', durationMs: 3_600_000 }
/** Nobody presses its button, so it lasts until the end of the test. */
const screening = (settings: object, more: object = {}) => ({
  name: 'Screening',
  states: [{ id: 'watch', components: [{ ...video, ...settings }] }],
  matching: { groupSize: 2 },
  ...more,
})
const long = { waitForAllMs: 300_000 }
const short = { waitForAllMs: 400 }
const roles = { roles: ['guide', 'viewer'] }

describeInOneMode('Playing in step', (world) => {
  const table = tableIn(world)

  /** One participant's page: present in the room, and listening on `/sync`. */
  async function watch(session: SocketSession, address = table.server().http, connect = once) {
    const room = await connect(() => openRoomSocket(address, session))
    onTestFinished(room.close)
    const sync = await connect(() => openSyncSocket(address, session))
    onTestFinished(sync.close)
    const about = { componentId: 'film' }
    return {
      ...sync,
      room,
      statuses: () => sync.states().map(({ status }) => status),
      ready: () => acknowledged(sync.act('playback_buffer', { ...about, status: 'ready' })),
      stall: () => acknowledged(sync.act('playback_buffer', { ...about, status: 'stalled' })),
      command: (command: string, more: object = {}) =>
        sync.act('playback_command', { ...about, command, ...more }),
      report: (driftMs: number) => sync.act('sync_report', { ...about, driftMs, rttMs: 12.5 }),
      is: (status: string) => sync.state((state) => state.status === status),
      close(): void {
        sync.close()
        room.close()
      },
    }
  }

  async function seat(settings: object, people: number | string[], more: object = {}) {
    const experimentId = await table.open(screening(settings, more) as never)
    return { experimentId, ...(await table.seat(experimentId, people)) }
  }

  async function pair(settings: object, people: number | string[] = 2, more: object = {}) {
    const { sessions, ...rest } = await seat(settings, people, more)
    const [first, second] = await Promise.all(sessions.map((session) => watch(session)))
    if (!first || !second) throw new Error('expected two viewers')
    return { first, second, sessions, ...rest }
  }

  it('[RM101,RM102] everyone starts at the same server time, once all are ready', async () => {
    const { first, second } = await pair(long)
    await first.is('preparing')
    await second.is('preparing')
    await first.ready()
    expect(first.statuses()).toEqual(['preparing'])
    const { t2 } = await first.ping()
    await second.ready()
    const start = await first.is('playing')
    expect(await second.is('playing')).toEqual(start)
    expect(start).toMatchObject({ componentId: 'film', positionMs: 0, rate: 1 })
    expect(start.atServerTime).toBeGreaterThan(t2)
  })

  it('[RM101,RM106] at the limit it starts without whoever is missing; a late joiner gets the same timeline', async () => {
    const { sessions } = await seat(short, 3, { matching: { groupSize: 3 } })
    const [first, second, late] = sessions
    if (!first || !second || !late) throw new Error('expected three people')
    const early = await Promise.all([watch(first), watch(second)])
    await early[0].ready()
    const start = await early[0].is('playing')
    const joiner = await watch(late)
    expect(await joiner.is('playing')).toEqual(start)
    expect(joiner.statuses()).toEqual(['playing'])
  })

  it('[RM103] the role commands, and everyone hears the same; others are refused and nothing changes', async () => {
    const { first, second } = await pair({ ...long, controlledBy: 'guide' }, ['guide', 'viewer'], roles)
    await Promise.all([first.ready(), second.ready()])
    await first.is('playing')
    const [guide, viewer] = first.room.snapshot().self.role === 'guide' ? [first, second] : [second, first]
    expect(await refused(viewer.command('pause'))).toBe('ACTION_REFUSED')
    await acknowledged(guide.command('pause', { actionId: 'one' }))
    const paused = await viewer.is('paused')
    expect(await guide.is('paused')).toEqual(paused)
    expect(paused.positionMs).toBeGreaterThan(0)
    expect(viewer.statuses()).toEqual(['preparing', 'playing', 'paused'])
  })

  it('[RM104] a stall stops everyone, until the player is ready or the limit has passed', async () => {
    const { first, second } = await pair(long)
    await Promise.all([first.ready(), second.ready()])
    await first.stall()
    const waiting = await second.is('waiting')
    await first.ready()
    expect(await second.is('playing')).toMatchObject({ positionMs: waiting.positionMs })

    const { first: slow, second: patient } = await pair(short)
    await Promise.all([slow.ready(), patient.ready()])
    await slow.stall()
    await waitUntil(
      () =>
        patient.statuses().join() === 'preparing,playing,waiting,playing' ||
        `it has been ${patient.statuses().join()}`,
    )
  })

  it('[RM107] a researcher’s pause pauses it, and it continues where it was', async () => {
    const { first, second, roomId } = await pair(long)
    await Promise.all([first.ready(), second.ready()])
    await table.pause(roomId)
    const paused = await second.is('paused')
    expect(await refused(first.report(1))).toBe('ROOM_PAUSED')
    await table.resume(roomId)
    expect(await first.is('playing')).toMatchObject({ positionMs: paused.positionMs })
  })

  it('[RM110] nobody hears of a medium that they do not see', async () => {
    const { first, second } = await pair({ ...long, roles: ['guide'] }, ['guide', 'viewer'], roles)
    const [guide, viewer] = first.room.snapshot().self.role === 'guide' ? [first, second] : [second, first]
    await guide.ready()
    await guide.is('playing')
    expect(await refused(viewer.report(1))).toBe('ACTION_REFUSED')
    expect(viewer.states()).toEqual([])
  })

  it('[R27,RM111,RM112,D16] the export has every change and every report; drift is in the metrics', async () => {
    const { first, second, experimentId } = await pair(long)
    await Promise.all([first.ready(), second.ready()])
    await first.is('playing')
    await acknowledged(first.report(-37.5))
    expect(await refused(first.report(2))).toBe('RATE_LIMITED')
    const rows = (await table.exported(experimentId)).filter(({ componentId }) => componentId === 'film')
    const { participantId } = first.room.snapshot().self
    const own = rows.filter((row) => row.participantId === participantId)
    expect(own.map(({ type }) => type).toSorted()).toEqual([
      'playback',
      'playback',
      'playback_buffer',
      'sync_report',
    ])
    expect(own.every((row) => row.origin === 'room' && row.stateId === 'watch')).toBe(true)
    expect(own.find(({ type }) => type === 'sync_report')?.data).toMatchObject({
      driftMs: -37.5,
      rttMs: 12.5,
    })
    const { token } = await table.researcher()
    const of = { http: table.server().http, token, experimentId, table: 'playback' as const }
    const drift = await readEveryFormat(of)
    expect(drift.jsonl.rows).toMatchObject([
      {
        participant_id: participantId,
        component_id: 'film',
        drift_ms: -37.5,
        rtt_ms: 12.5,
        state_id: 'watch',
      },
    ])
    expect(drift.csv.rows).toEqual(drift.jsonl.rows)
    expect(drift.parquet.rows).toEqual(drift.jsonl.rows)
    const start = first.states().at(-1)
    expect(own.filter(({ type }) => type === 'playback').map(({ data }) => data)).toContainEqual({
      status: 'playing',
      positionMs: 0,
      atServerTime: start?.atServerTime,
      rate: 1,
    })
    const text = await (await fetch(table.server().metrics)).text()
    expect(text).toMatch(/app_sync_accuracy_ms_bucket\{le="50"[^}]*\} [1-9]/)
  })

  it('[R27,RM113] the server’s clock moves forward, and every measurement agrees with every other', async () => {
    const { first, second } = await pair(long)
    const pongs = []
    for (let ping = 0; ping < 8; ping++) pongs.push(await first.ping(), await second.ping())
    const times = pongs.flatMap(({ t1, t2 }) => [t1, t2])
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    // The offset of the two clocks lies between these for each answer, so all of them must overlap.
    const min = Math.max(...pongs.map(({ t2, t3 }) => t2 - t3))
    const max = Math.min(...pongs.map(({ t0, t1 }) => t1 - t0))
    const slewMs = 1 + 0.02 * ((times.at(-1) ?? 0) - (times[0] ?? 0))
    expect(min).toBeLessThanOrEqual(max + slewMs)
  })

  it('[RM113] one socket per participant, closed with the session; pings in excess are refused, actions are not', async () => {
    const { first, second, sessions } = await pair(long)
    const [session] = sessions
    if (!session) throw new Error('expected a session')
    const newer = await table.synchronise(session)
    onTestFinished(newer.close)
    await waitUntil(() => !first.isConnected() || 'the older socket is still open')
    expect(second.isConnected()).toBe(true)
    const answers = await Promise.allSettled(Array.from({ length: 300 }, () => newer.ping()))
    expect(answers.some(({ status }) => status === 'rejected')).toBe(true)
    await acknowledged(newer.act('playback_buffer', { componentId: 'film', status: 'ready' }))
    await table.revoke(session.sessionId)
    await waitUntil(() => !newer.isConnected() || 'the socket of the revoked session is still open')
  })

  it('[RM106,RM48] a server killed in the middle: the timeline continues, wherever the room is next', async () => {
    const { first, second, sessions } = await pair(long)
    await Promise.all([first.ready(), second.ready()])
    const before = await first.is('playing')
    await table.server().kill()
    if (world().mode === 'embedded') await table.server().restart()
    const next = world().servers.at(-1)?.http ?? ''
    const again = await Promise.all(sessions.map((session) => watch(session, next, untilConnected)))
    for (const viewer of again) expect(await viewer.is('playing')).toEqual(before)
    for (const viewer of again) await viewer.ready()
    await again[0]?.stall()
    expect(await again[1]?.is('waiting')).toMatchObject({ componentId: 'film' })
    if (world().mode === 'cluster') await table.server().restart()
  })
})

type Connect = <Connected>(connect: () => Promise<Connected>) => Promise<Connected>

const once: Connect = (connect) => connect()

/**
 * Until another instance has taken the room over, connections to it are refused. Handshakes are limited to one a second
 * after a burst of 30, so each socket is tried for itself and not more often than a page would try.
 */
const untilConnected: Connect = async (connect) => {
  let connected: Awaited<ReturnType<typeof connect>> | undefined
  await waitUntil(
    async () => {
      connected = await connect()
      return connected !== undefined || 'it came to nothing'
    },
    { everyMs: 500 },
  )
  if (connected === undefined) throw new Error('not connected')
  return connected
}
