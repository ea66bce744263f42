import { describe, expect, it } from 'vitest'
import { component, openedAt, state } from '../test/played-room.ts'
import { playVideo, screening, startVideo, videoMs, waitMs, watching } from '../test/playing-room.ts'
import { leadMs } from './playback.ts'

const guided = (settings: object = {}, more: object = {}) =>
  watching([screening({ controlledBy: 'guide', ...settings }), state('after')], {
    roles: ['guide', 'viewer'],
    ...more,
  })
const roles = { roles: ['guide', 'viewer'] }
const liking = (settings: object = {}) =>
  component('liking', 'sparse_rating', { atMs: [10_000, 20_000], ...settings })
const rated = watching([screening({}, liking()), state('after')])

describe('Where ratings are given', () => {
  it('[RM105] everyone waits at the position until all have rated it', () => {
    const room = startVideo(rated)
    room.pass(10_000 - leadMs)
    // Announced in time, for the moment at which it is reached.
    expect(room.playback()).toMatchObject({
      status: 'waiting',
      positionMs: 10_000,
      atServerTime: room.now() + leadMs,
    })
    room.pass(3_000)
    room.respond('p1', 'liking', { atMs: 10_000, value: 5 })
    expect(room.status()).toBe('waiting')
    room.respond('p2', 'liking', { atMs: 10_000, value: 6 })
    expect(room.playback()).toMatchObject({ status: 'playing', positionMs: 10_000 })
    room.pass(leadMs + 1_000)
    expect(room.position()).toBe(11_000)
  })

  it('[RM105] a position that everyone has rated already does not stop it', () => {
    const room = startVideo(rated)
    for (const who of ['p1', 'p2']) room.respond(who, 'liking', { atMs: 10_000, value: 5 })
    room.pass(15_000)
    expect([room.status(), room.position()]).toEqual(['playing', 15_000])
    room.pass(10_000)
    expect([room.status(), room.position()]).toEqual(['waiting', 20_000])
  })

  it('[RM105] only ratings that it stops for are remembered', () => {
    const room = startVideo(
      watching([screening({}, component('liking', 'sparse_rating', {})), state('after')]),
    )
    for (const atMs of [1_000, 2_000.5, 86_400_000]) room.respond('p1', 'liking', { atMs, value: 5 })
    expect(room.room().seats[0]?.here.rated).toBeUndefined()
    expect(room.respond('p1', 'liking', { atMs: 86_400_001, value: 5 })).toBe('VALIDATION_FAILED')
  })

  it('[RM105] a clock that is late changes nothing about the position', () => {
    const room = startVideo(rated)
    room.passUnnoticed(17_000)
    room.dispatch({ type: 'tick' })
    expect(room.playback()).toMatchObject({ status: 'waiting', positionMs: 10_000 })
  })

  it('[RM105] nobody waits for a rating of somebody who was dropped, or who does not see it', () => {
    const room = startVideo(rated)
    room.pass(12_000)
    room.respond('p1', 'liking', { atMs: 10_000, value: 5 })
    room.disconnect('p2')
    expect(room.status()).toBe('waiting')
    room.pass(60_000)
    expect(room.seat('p2').status).toBe('dropped')
    const onlyViewers = watching([screening({}, liking({ roles: ['viewer'] }))], {
      roles: ['guide', 'viewer'],
    })
    const other = startVideo(onlyViewers, roles)
    other.pass(10_000)
    other.respond('p2', 'liking', { atMs: 10_000, value: 5 })
    expect(other.status()).toBe('playing')
  })

  it('[RM105] a rating at the very start, one without a pause, and one about another medium', () => {
    const atStart = startVideo(watching([screening({}, liking({ atMs: [0] }))]))
    expect(atStart.playback()).toMatchObject({ status: 'waiting', positionMs: 0 })
    const unheld = startVideo(watching([screening({}, liking({ pause: false }))]))
    unheld.pass(15_000)
    expect(unheld.status()).toBe('playing')
    const tone = component('tone', 'audio', { src: '/tone.mp3' })
    const other = startVideo(watching([screening({}, liking({ mediaId: 'tone' }), tone)]))
    other.pass(15_000)
    expect(other.status()).toBe('playing')
  })

  it('[RM105] a seek passes over positions, and one to a position stops there', () => {
    const states = [screening({ controlledBy: 'guide' }, liking())]
    const room = startVideo(watching(states, { roles: ['guide', 'viewer'] }), roles)
    room.command('p1', 'seek', { positionMs: 15_000 })
    room.pass(leadMs + 1_000)
    expect([room.status(), room.position()]).toEqual(['playing', 16_000])
    room.command('p1', 'seek', { positionMs: 20_000 })
    expect(room.playback()).toMatchObject({ status: 'waiting', positionMs: 20_000, heldAtMs: 20_000 })
  })
})

describe('When the room is paused, and how it ends', () => {
  it('[RM107] it is paused with the room, and continues where it was', () => {
    const room = startVideo()
    room.pass(2_000)
    room.pause()
    expect(room.playback()).toMatchObject({ status: 'paused', positionMs: 2_300 })
    room.pass(90_000)
    room.resume()
    expect(room.playback()).toMatchObject({ status: 'playing', positionMs: 2_300 })
  })

  it('[RM107] limits stand still meanwhile, and players may get ready', () => {
    const room = playVideo()
    room.ready('p1')
    room.pass(1_000)
    room.pause()
    room.pass(90_000)
    expect(room.status()).toBe('preparing')
    room.resume()
    room.pass(waitMs - 1_001)
    expect(room.status()).toBe('preparing')
    room.pause()
    expect(room.ready('p2')).toBeTypeOf('number')
    expect(room.status()).toBe('preparing')
    room.resume()
    expect(room.status()).toBe('playing')
  })

  it('[RM108] it has ended at its length', () => {
    const room = startVideo()
    room.pass(videoMs)
    expect(room.playback()).toMatchObject({
      status: 'ended',
      positionMs: videoMs,
      atServerTime: openedAt + leadMs + videoMs,
      dueAt: null,
    })
  })

  it('[RM108] where the length is not known, it has ended once everyone awaited has said so', () => {
    const room = startVideo(watching([screening({ durationMs: undefined })]))
    room.pass(30_000)
    room.respond('p1', 'film', { ended: true })
    expect(room.status()).toBe('playing')
    room.respond('p2', 'film', { ended: true })
    expect(room.playback()).toMatchObject({ status: 'ended', positionMs: 30_000 })
  })

  it('[RM102,RM108] the role may play it again from the start, or from elsewhere', () => {
    const room = startVideo(guided(), roles)
    room.pass(videoMs)
    room.command('p1', 'play')
    room.pass(leadMs + 1_000)
    expect([room.status(), room.position()]).toEqual(['playing', 1_000])
    room.pass(videoMs)
    expect(room.status()).toBe('ended')
    room.command('p1', 'seek', { positionMs: 5_000 })
    expect(room.playback()).toMatchObject({ status: 'paused', positionMs: 5_000 })
  })

  it('[RM109] a visit begins anew, a global component plays on, and nothing is left after the last state', () => {
    const music = component('music', 'audio', { src: '/music.mp3', waitForAllMs: waitMs })
    const room = startVideo(
      watching(
        [screening(), screening()].map((one, index) => ({ ...one, id: `s${index}` })),
        { globalComponents: [music] },
      ),
    )
    for (const who of ['p1', 'p2']) room.ready(who, { componentId: 'music' })
    room.pass(leadMs + 1_000)
    for (const who of ['p1', 'p2']) room.press(who)
    expect(room.playback()).toMatchObject({ status: 'preparing', positionMs: 0, visit: 2 })
    expect(room.playback('music')).toMatchObject({ status: 'playing', visit: null })
    for (const who of ['p1', 'p2']) room.press(who)
    expect(room.room().playback).toBeUndefined()
  })
})
