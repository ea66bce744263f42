import type { PlaybackState } from '@atrium/contract'
import { waitUntil } from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { RoomClosed } from '../errors.ts'
import type { ConnectionStatus } from '../socket/session-connection.ts'
import { createFakeMedia } from '../test/fake-media.ts'
import { startFakeSync } from '../test/fake-sync.ts'
import { setUpPerson, setUpPlatform } from '../test/set-up.ts'
import { createVirtualClock } from '../test/virtual-clock.ts'
import { version } from '../version.ts'
import { connectSync } from './connect-sync.ts'
import { playInStep } from './play-in-step.ts'

const preparing: PlaybackState = {
  componentId: 'film',
  status: 'preparing',
  positionMs: 0,
  atServerTime: 1_000,
  rate: 1,
}

async function setUp() {
  const platform = await setUpPlatform()
  const fake = startFakeSync(platform)
  const person = setUpPerson(platform)
  await person.participant.join('x')
  const statuses: ConnectionStatus[] = []
  const states: PlaybackState[] = []
  const connect = () => {
    const sync = connectSync(person.participant, {
      onStatus: (status) => statuses.push(status),
      onPlayback: (state) => states.push(state),
    })
    onTestFinished(() => sync.close())
    return sync
  }
  const untilStatus = (kind: ConnectionStatus['kind']) =>
    waitUntil(() => statuses.at(-1)?.kind === kind || JSON.stringify(statuses.at(-1)))
  return { platform, fake, ...person, statuses, states, connect, untilStatus }
}

test('[R27] connects to the room’s clock and playback, and knows server time', async () => {
  const set = await setUp()
  set.fake.states.push(preparing)
  const sync = set.connect()
  await set.untilStatus('connected')
  expect(set.fake.handshakes).toMatchObject([
    {
      sessionId: set.participant.session?.sessionId,
      roomId: 'room_ann',
      userAgent: `atrium-client/${version}`,
    },
  ])
  await waitUntil(() => set.fake.pings() >= 8 || `${set.fake.pings()} pings`)
  await waitUntil(() => sync.playback('film') !== undefined || 'no state')
  expect(sync.playback('film')).toEqual(preparing)
  expect(sync.playback('other')).toBeUndefined()
  const { offsetMs = 0, uncertaintyMs = 0 } = sync.clock.estimate ?? {}
  expect(Math.abs(offsetMs - 3_600_000)).toBeLessThanOrEqual(uncertaintyMs)
  set.fake.emitRaw('playback_state', { componentId: 'film', status: 'playing', positionMs: 'far' })
  set.fake.say({ ...preparing, status: 'playing' })
  await waitUntil(() => set.states.length === 2 || `${set.states.length} states`)
  expect(sync.playback('film')?.status).toBe('playing')
})

test('[R27] a server that accepts but never answers is not a connection', async () => {
  const set = await setUp()
  set.fake.answerPings(false)
  const sync = set.connect()
  await waitUntil(() => set.fake.pings() > 0 || 'no ping')
  expect(sync.status.kind).toBe('connecting')
  set.fake.answerPings(true)
  await set.untilStatus('connected')
})

test('[R27] commands are acknowledged in order and repeated under the same id', async () => {
  const set = await setUp()
  const sync = set.connect()
  set.fake.mishaps.push('drop_reply', { code: 'RATE_LIMITED' })
  await Promise.all([
    sync.command('film', { command: 'seek', positionMs: 4_000 }),
    sync.command('film', { command: 'play', rate: 1.5 }),
    sync.buffer('film', 'ready'),
  ])
  const names = set.fake.received.map(({ name, payload }) => payload.command ?? name)
  expect(names).toEqual(['seek', 'seek', 'seek', 'play', 'playback_buffer'])
  expect(new Set(set.fake.received.map(({ payload }) => payload.actionId)).size).toBe(3)
  expect(set.fake.received.at(-1)?.payload).toMatchObject({ componentId: 'film', status: 'ready' })
  expect(set.participant.unsafe()).toBe(0)
})

test('[R27] a refusal rejects its command; a report does not hold up commands', async () => {
  const set = await setUp()
  const sync = set.connect()
  await set.untilStatus('connected')
  set.fake.mishaps.push('silence', { code: 'FORBIDDEN' })
  const report = sync.report('film', { driftMs: -3.5, rttMs: 20 })
  await waitUntil(() => set.fake.received.length === 1 || 'not reported')
  await expect(sync.command('film', { command: 'pause' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await report
  expect(set.fake.received.map(({ name }) => name)).toEqual([
    'sync_report',
    'playback_command',
    'sync_report',
  ])
})

test('[R30] after a lost connection it is back, with what it knew until then', async () => {
  const set = await setUp()
  set.fake.states.push({ ...preparing, status: 'playing' })
  const sync = set.connect()
  await set.untilStatus('connected')
  await waitUntil(() => sync.playback('film') !== undefined || 'no state')
  // Otherwise it may be back before anybody has looked.
  set.fake.answerPings(false)
  set.fake.dropAll()
  await waitUntil(() => set.statuses.some(({ kind }) => kind === 'reconnecting') || 'still connected')
  expect(sync.clock.serverNow()).toBeGreaterThan(3_600_000)
  expect(sync.playback('film')?.status).toBe('playing')
  // A report about a room that is out of reach would be wrong by the time it arrives.
  await sync.report('film', { driftMs: 1, rttMs: 1 })
  set.fake.answerPings(true)
  await set.untilStatus('connected')
  expect(set.fake.handshakes.length).toBeGreaterThan(1)
  expect(set.fake.received).toHaveLength(0)
})

test('[R27] another tab takes over: told as replaced, and nothing is sent any more', async () => {
  const set = await setUp()
  const sync = set.connect()
  await set.untilStatus('connected')
  set.fake.emitRaw('replaced', {})
  await set.untilStatus('replaced')
  await expect(sync.command('film', { command: 'play' })).rejects.toBeInstanceOf(RoomClosed)
})

test('[R27] an element follows the room through a connection', async () => {
  const set = await setUp()
  set.fake.states.push(preparing)
  const sync = set.connect()
  const steady = createVirtualClock()
  const media = createFakeMedia(steady)
  const clock = { ...sync.clock, serverNow: () => steady.now(), serverAt: (localMs: number) => localMs }
  const playback = playInStep({ ...sync, status: { kind: 'connected' }, clock, steady }, 'film', {
    element: media.element,
  })
  await waitUntil(() => sync.playback('film') !== undefined || 'no state')
  await steady.advance(1_000)
  await waitUntil(() => set.fake.received.length === 1 || 'nothing told')
  expect(set.fake.received[0]?.payload).toMatchObject({ componentId: 'film', status: 'ready' })
  set.fake.say({ ...preparing, status: 'playing', atServerTime: Math.round(steady.now()) })
  await waitUntil(() => sync.playback('film')?.status === 'playing' || 'not playing')
  await steady.advance(1_000)
  expect(media.positionMs()).toBeGreaterThan(500)
  playback.close()
  expect(media.listenerCount()).toBe(0)
})
