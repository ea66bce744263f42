import type { PlayableVideo } from '@atrium/contract'
import { describe, expect, test } from 'vitest'
import { mayPlayInStep, videosAhead } from './media-ahead.ts'
import { createMediaLibrary } from './media-library.ts'
import { levelForScreen, withCredentialOf } from './signed-address.ts'

const upload = (id: string, videoId: string) => ({ id, type: 'video', videoId })

describe('what is loaded in advance', () => {
  const states = [
    { id: 'welcome', components: [{ id: 't', type: 'text', text: 'Hello' }] },
    { id: 'first', components: [upload('a', 'v1'), { id: 'b', type: 'video', src: '/film.mp4' }] },
    { id: 'second', components: [{ ...upload('c', 'v2'), type: 'audio' }, upload('d', 'v1')] },
  ]
  const at = (id: string) => {
    const state = states.find((one) => one.id === id)
    return {
      state: { ...state, id, components: state?.components ?? [] } as never,
      globalComponents: [],
    }
  }

  test('[R31] is the uploaded video of the nearest state, once', () => {
    const config = { states, globalComponents: [] } as never
    expect(videosAhead(config, at('welcome'))).toEqual([
      { videoId: 'v1', kind: 'video' },
      { videoId: 'v2', kind: 'audio' },
    ])
    expect(videosAhead(config, at('first'))).toEqual([{ videoId: 'v2', kind: 'audio' }])
    expect(videosAhead(config, at('second'))).toEqual([])
    expect(videosAhead(config, { state: null, globalComponents: [] })).toHaveLength(2)
  })
})

test('[R27] media may play in step in a group, or where the definition says so, but not with controls', () => {
  const video = { id: 'film', type: 'video', src: '/film.mp4' }
  expect(mayPlayInStep(video, 0)).toBe(false)
  expect(mayPlayInStep(video, 1)).toBe(true)
  expect(mayPlayInStep({ ...video, controlledBy: 'server' }, 0)).toBe(true)
  expect(mayPlayInStep({ ...video, controlledBy: 'participant' }, 3)).toBe(false)
  expect(mayPlayInStep({ ...video, controls: true }, 3)).toBe(false)
  expect(mayPlayInStep({ id: 'q', type: 'slider' }, 3)).toBe(false)
})

describe('addresses', () => {
  const minuteMs = 60_000
  const videoUntil = (ms: number, playbackUrl: string | null = '/media/9.s/videos/v1/hls/master.m3u8') => ({
    videoId: 'v1',
    playbackUrl,
    posterUrl: null,
    durationMs: null,
    expiresAt: new Date(ms).toISOString(),
  })

  function setUp(answers: PlayableVideo[][]) {
    let now = 0
    let requests = 0
    const library = createMediaLibrary(
      async () => answers[Math.min(requests++, answers.length - 1)] ?? [],
      () => now,
    )
    return { library, requests: () => requests, passMs: (ms: number) => (now += ms) }
  }

  test('[R32] are fetched once, and again before they expire', async () => {
    const { library, requests, passMs } = setUp([[videoUntil(10 * minuteMs)], [videoUntil(20 * minuteMs)]])
    await Promise.all([library.find('v1'), library.find('v1')])
    await library.find('v1')
    expect(requests()).toBe(1)
    passMs(9.5 * minuteMs)
    expect((await library.find('v1'))?.expiresAt).toBe(new Date(20 * minuteMs).toISOString())
    expect(requests()).toBe(2)
    await library.renew('v1')
    expect(requests()).toBe(3)
  })

  test('[R32] of videos that cannot be played are not asked for all the time', async () => {
    const { library, requests, passMs } = setUp([
      [videoUntil(minuteMs * 60, null)],
      [videoUntil(minuteMs * 60)],
    ])
    expect(await library.find('v1')).toBeUndefined()
    expect(await library.find('v1')).toBeUndefined()
    expect(requests()).toBe(1)
    passMs(5_000)
    expect(await library.find('v1')).toBeDefined()
    expect(await library.find('other')).toBeUndefined()
  })

  test('[R32] of segments get the newest credential', () => {
    const old = 'https://lab.example/media/1.old/videos/v1/hls/master_360p_00001.ts'
    expect(withCredentialOf('/media/2.new/videos/v1/hls/master.m3u8', old)).toBe(
      'https://lab.example/media/2.new/videos/v1/hls/master_360p_00001.ts',
    )
    expect(withCredentialOf('/media/2.$&/x', old)).toContain('/media/2.$&/videos')
    expect(withCredentialOf('', old)).toBe(old)
  })
})

test('no level is loaded that is larger than the screen needs', () => {
  const levels = [{ width: 640 }, { width: 854 }, { width: 1280 }, { width: 1920 }]
  expect(levelForScreen(levels, 844)).toBe(1)
  expect(levelForScreen(levels, 1920)).toBe(3)
  expect(levelForScreen(levels, 3840)).toBe(-1)
})
