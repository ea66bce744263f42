import { describe, expect, it } from 'vitest'
import { component, openedAt, state } from '../test/played-room.ts'
import { playVideo, screening, startVideo, video, waitMs, watching } from '../test/playing-room.ts'
import { leadMs } from './playback.ts'

const guided = (settings: object = {}, more: object = {}) =>
  watching([screening({ controlledBy: 'guide', ...settings }), state('after')], {
    roles: ['guide', 'viewer'],
    ...more,
  })
const roles = { roles: ['guide', 'viewer'] }

describe('What plays in step', () => {
  it.each([
    ['a group', watching(), true],
    ['a group with controls', watching([screening({ controls: true })]), false],
    ['a group in which everyone plays alone', watching([screening({ controlledBy: 'participant' })]), false],
    ['a group that moves at its own pace', watching([screening()], { pacing: 'participant' }), false],
    ['somebody alone', { states: [screening()] }, false],
    ['somebody alone, by the server', { states: [screening({ controlledBy: 'server' })] }, true],
    ['somebody alone, by a role', { ...guided({ controlledBy: 'guide' }), matching: { groupSize: 1 } }, true],
  ] as const)('[RM100] %s: %s', (_name, given, isInStep) => {
    const room = playVideo(given as never)
    expect(room.playback() !== undefined).toBe(isInStep)
    expect(room.ready('p1')).toEqual(isInStep ? expect.any(Number) : 'ACTION_REFUSED')
  })

  it('[RM100] twenty media of one state', () => {
    const clips = Array.from({ length: 20 }, (_, index) =>
      component(`clip${index}`, 'audio', { src: '/a.mp3' }),
    )
    const room = playVideo(watching([state('watch', { components: clips })], { globalComponents: [] }))
    expect(room.room().playback).toHaveLength(20)
  })
})

describe('How it starts', () => {
  it('[RM101,RM102] once everyone is ready, a moment later, for everyone at the same time', () => {
    const room = playVideo()
    room.pass(1_000)
    room.ready('p1')
    expect(room.status()).toBe('preparing')
    room.pass(500)
    room.ready('p2')
    const start = { status: 'playing', positionMs: 0, atServerTime: openedAt + 1_500 + leadMs, rate: 1 }
    for (const who of ['p1', 'p2'])
      expect(room.told(who)).toMatchObject([{ status: 'preparing', componentId: 'film' }, start])
    room.pass(leadMs + 2_000)
    expect(room.position()).toBe(2_000)
  })

  it('[RM101] at the limit after the first who is ready, whoever is missing', () => {
    const room = playVideo()
    room.pass(20_000)
    expect(room.due()).toBeNull()
    room.ready('p1')
    room.pass(waitMs - 1)
    expect(room.status()).toBe('preparing')
    room.pass(1)
    expect(room.playback()).toMatchObject({ status: 'playing', atServerTime: room.now() + leadMs })
  })

  it('[RM101] without a limit, with the first', () => {
    const room = playVideo(watching([screening({ waitForAllMs: 0 })]))
    room.ready('p2')
    expect(room.status()).toBe('playing')
  })

  it('[RM101] it waits for those who have not come yet, but not for those who are gone', () => {
    const room = playVideo(watching(), { isConnected: false })
    room.connect('p1')
    room.ready('p1')
    expect(room.status()).toBe('preparing')
    room.leave('p2')
    expect(room.status()).toBe('playing')
  })

  it('[RM101] the limit survives a take-over; with nobody there it starts with the next who is ready', () => {
    const room = playVideo()
    room.ready('p1')
    const due = room.due()
    room.restore()
    expect(room.playback()).toMatchObject({ status: 'preparing', waitUntil: due, ready: [] })
    room.pass(waitMs)
    expect(room.playback()).toMatchObject({ status: 'preparing', waitUntil: null })
    room.connect('p1')
    room.connect('p2')
    room.ready('p1')
    room.pass(waitMs)
    expect(room.status()).toBe('playing')
  })

  it('[RM103] with autoplay: false it stands still until the role plays it', () => {
    const room = startVideo(guided({ autoplay: false }), roles)
    expect(room.status()).toBe('paused')
    room.command('p1', 'play')
    room.pass(leadMs + 700)
    expect([room.status(), room.position()]).toEqual(['playing', 700])
  })
})

describe('Who commands it', () => {
  it('[RM102,RM103] the role does; every change continues from where the video is by then', () => {
    const room = startVideo(guided(), roles)
    room.pass(5_000)
    expect(room.command('p1', 'pause')).toBeTypeOf('number')
    expect(room.playback()).toMatchObject({
      status: 'paused',
      positionMs: 5_300,
      atServerTime: room.now() + leadMs,
    })
    room.pass(10_000)
    expect(room.position()).toBe(5_300)
    room.command('p1', 'play', { rate: 2 })
    room.pass(leadMs + 1_000)
    expect(room.position()).toBe(7_300)
    room.command('p1', 'seek', { positionMs: 40_000 })
    room.pass(leadMs)
    expect([room.status(), room.position()]).toEqual(['playing', 40_000])
    room.pass(500)
    room.command('p1', 'pause', { positionMs: 1_000, rate: 1 })
    expect(room.playback()).toMatchObject({ status: 'paused', positionMs: 1_000, rate: 1 })
  })

  it('[RM103] nobody else, and nobody what the server plays', () => {
    const room = startVideo(guided(), roles)
    const before = room.playback()
    expect(room.command('p2', 'pause')).toBe('ACTION_REFUSED')
    expect(room.command('p1', 'seek')).toBe('VALIDATION_FAILED')
    expect(room.playback()).toEqual(before)
    expect(startVideo().command('p1', 'pause')).toBe('ACTION_REFUSED')
  })

  it('[RM103] not more often than five times a second', () => {
    const room = startVideo(guided(), roles)
    expect(room.command('p1', 'pause')).toBeTypeOf('number')
    room.pass(199)
    expect(room.command('p1', 'play')).toBe('RATE_LIMITED')
    room.pass(1)
    expect(room.command('p1', 'play')).toBeTypeOf('number')
  })

  it('[RM49] a command that is repeated under its id is applied once', () => {
    const room = startVideo(guided(), roles)
    const seek = { positionMs: 30_000, actionId: 'seek-1' }
    const seq = room.command('p1', 'seek', seek)
    room.pass(5_000)
    expect(room.command('p1', 'seek', seek)).toBe(seq)
    expect(room.position()).toBe(30_000 + 5_000 - leadMs)
  })

  it('[RM103] before the start a command says what happens then', () => {
    const room = playVideo(guided(), roles)
    room.command('p1', 'pause', { positionMs: 9_000 })
    expect(room.playback()).toMatchObject({ status: 'preparing', positionMs: 9_000 })
    room.ready('p1')
    room.ready('p2')
    expect(room.playback()).toMatchObject({ status: 'paused', positionMs: 9_000 })
  })
})

describe('When somebody stalls', () => {
  it('[RM104] everyone waits, and goes on from there when they are ready', () => {
    const room = startVideo()
    room.pass(5_000)
    room.stall('p1')
    expect(room.playback()).toMatchObject({ status: 'waiting', positionMs: 5_300 })
    room.pass(2_000)
    room.ready('p1')
    expect(room.playback()).toMatchObject({
      status: 'playing',
      positionMs: 5_300,
      atServerTime: room.now() + leadMs,
    })
  })

  it('[RM104] at the limit it goes on without them, and waits again only once they have been ready', () => {
    const room = startVideo()
    room.stall('p1')
    room.pass(waitMs - 1_000)
    room.stall('p2')
    room.pass(1_000)
    expect(room.status()).toBe('playing')
    room.stall('p1')
    expect(room.status()).toBe('playing')
    room.ready('p1')
    room.stall('p1')
    expect(room.status()).toBe('waiting')
  })

  it('[RM104] somebody who stalls again and again is left behind in the end', () => {
    const room = startVideo()
    let held = 0
    for (let stall = 0; stall < 30; stall++) {
      room.stall('p1')
      if (room.status() === 'waiting') held++
      room.ready('p1')
      room.pass(400)
    }
    expect([held, room.status()]).toEqual([20, 'playing'])
  })

  it('[RM104,RM106] somebody who disconnects holds nothing up, and is told where it is when they are back', () => {
    const room = startVideo()
    room.stall('p1')
    expect(room.status()).toBe('waiting')
    room.disconnect('p1')
    expect(room.status()).toBe('playing')
    room.pass(3_000)
    room.connect('p1')
    expect([room.status(), room.position()]).toEqual(['playing', 3_000])
  })

  it('[RM106] a take-over does not disturb it', () => {
    const room = startVideo()
    const before = room.told('p1').length
    room.restore()
    room.pass(1_500)
    room.connect('p1')
    expect([room.status(), room.position(), room.told('p1').length]).toEqual(['playing', 1_500, before])
  })

  it('[RM104] a pause of the role does not use up the limit', () => {
    const room = startVideo(guided(), roles)
    room.stall('p2')
    room.command('p1', 'pause')
    expect([room.status(), room.due()]).toEqual(['paused', null])
    room.pass(60_000)
    room.command('p1', 'play')
    expect(room.status()).toBe('waiting')
    room.pass(waitMs)
    expect(room.status()).toBe('playing')
  })
})

describe('Who is told, and what is kept', () => {
  it('[RM110] only those who see it are told and recorded, and only they may speak of it', () => {
    const states = [state('watch', { components: [video({ roles: ['guide'] })] }), state('after')]
    const room = playVideo(watching(states, { roles: ['guide', 'viewer'] }), roles)
    room.ready('p1')
    room.pass(leadMs)
    expect(room.told('p1').map(({ status }) => status)).toEqual(['preparing', 'playing'])
    expect([room.told('p2'), room.recordsOf('p2', 'playback')]).toEqual([[], []])
    expect([room.ready('p2'), room.report('p2')]).toEqual(['ACTION_REFUSED', 'ACTION_REFUSED'])
  })

  it('[RM110] nobody is told any more who has left', () => {
    const room = startVideo()
    room.leave('p2')
    const told = room.told('p2').length
    room.stall('p1')
    expect(room.told('p2')).toHaveLength(told)
    expect(room.told('p1').at(-1)?.status).toBe('waiting')
  })

  it('[RM111] every change is in the records of everyone who sees it, commands and stalls with who made them', () => {
    const room = startVideo(guided(), roles)
    room.command('p1', 'pause', { actionId: 'a' })
    room.stall('p2')
    room.stall('p2')
    for (const who of ['p1', 'p2'])
      expect(
        room
          .recordsOf(who, 'playback')
          .map(({ data, componentId, stateId }) => [stateId, componentId, data.status]),
      ).toEqual([
        ['watch', 'film', 'preparing'],
        ['watch', 'film', 'playing'],
        ['watch', 'film', 'paused'],
      ])
    expect(room.recordsOf('p1', 'playback_command')).toMatchObject([
      { data: { command: 'pause', actionId: 'a' } },
    ])
    expect(room.recordsOf('p2', 'playback_buffer').map(({ data }) => data.status)).toEqual([
      'ready',
      'stalled',
    ])
  })

  it('[RM112] a report is kept with the position, once a second, and leaves no trace but its time', () => {
    const room = startVideo()
    room.pass(2_000)
    const before = room.playback()
    expect(room.report('p1')).toBeTypeOf('number')
    expect(room.report('p1')).toBe('RATE_LIMITED')
    expect(room.report('p2')).toBeTypeOf('number')
    room.pass(1_000)
    expect(room.report('p1', { driftMs: -3.5 })).toBeTypeOf('number')
    expect(room.recordsOf('p1', 'sync_report').map(({ data }) => data)).toEqual([
      { driftMs: 12, rttMs: 30, positionMs: 2_000 },
      { driftMs: -3.5, rttMs: 30, positionMs: 3_000 },
    ])
    expect(room.playback()).toEqual({ ...before, reportedAt: { p1: room.now(), p2: room.now() - 1_000 } })
  })
})
