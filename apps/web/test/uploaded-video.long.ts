import { createHmac } from 'node:crypto'
import {
  hlsOutput,
  mediaPath,
  objectKeys,
  type PlayableVideo,
  participantRoutes,
  type VideoRecord,
  videoRoutes,
} from '@atrium/contract'
import {
  createApi,
  createPerson,
  createTemporaryFolder,
  makeTinyVideo,
  startWorld,
  succeeded,
  type World,
  waitUntil,
} from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { clickIfShown, createPersonWithBrowser, openStudy, type Person, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { component } from './studies.ts'

const sessionSecret = 'known so that the story can sign paths'
const filename = 'harbour.mp4'
const videoSeconds = 60
/** Far enough from the beginning to be loaded only when it is asked for, and from the end to be seen playing. */
const laterS = 32

const browser = useBrowser()
const folder = createTemporaryFolder('film')
let world: World
let path: string
let person: Person
/** Uploaded by the first story, and watched in the others. */
let uploaded: VideoRecord
beforeAll(async () => {
  // Few pictures a second: encoded quickly, but with many segments.
  path = await makeTinyVideo(folder.path, filename, {
    width: 854,
    height: 480,
    seconds: videoSeconds,
    rate: '5',
  })
})
beforeAll(async () => {
  world = await startWorld('embedded', {
    env: { SESSION_SECRET: sessionSecret, FFMPEG_PRESET: 'ultrafast' },
  })
})
afterAll(async () => {
  await world?.stop()
  folder.remove()
})
afterEach(() => person?.leave())

const playing = (page: Page) =>
  page.locator('video').evaluate(({ currentTime, seeking, paused, videoWidth }: HTMLVideoElement) => ({
    currentTime,
    videoWidth,
    isPlaying: !seeking && !paused,
  }))

const untilPlaying = (page: Page, { fromS = 0, width }: { fromS?: number; width?: number }) =>
  waitUntil(async () => {
    const now = await playing(page)
    const isThere = now.isPlaying && now.currentTime > fromS + 0.2
    return (isThere && (width ?? now.videoWidth) === now.videoWidth) || JSON.stringify(now)
  })

const seek = (page: Page, toS: number) =>
  page.locator('video').evaluate((video: HTMLVideoElement, currentTime) => {
    video.currentTime = currentTime
  }, toS)

/** The browser decides whether a video starts automatically; if not, the page offers a button. */
async function start(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Start' })
  await page.locator('video').waitFor()
  await waitUntil(async () => {
    await clickIfShown(button)
    return (await playing(page)).isPlaying || 'it does not start'
  })
}

/** Segments that a page has received, such as `360p 3`. */
function watchSegments(page: Page): string[] {
  const segments: string[] = []
  page.on('response', (response) => {
    const [, level, number] = /\/media\/.*\/master_(\d+p)_0*(\d+)\.ts$/.exec(response.url()) ?? []
    if (level !== undefined && response.ok()) segments.push(`${level} ${number}`)
  })
  return segments
}

const openVideoStudy = () =>
  openStudy(world, {
    name: 'By the harbour',
    states: [
      {
        id: 'watch',
        components: [component('film', 'video', { videoId: uploaded.videoId, controls: true })],
        end: { on: 'button' },
      },
    ],
    completion: { codes: { SUCCESS: 'SEEN' } },
  })

const signed = (expiry: number, { videoId }: VideoRecord) => {
  const key = createHmac('sha256', sessionSecret).update('atrium media path').digest()
  const signature = createHmac('sha256', key).update(`${expiry} ${videoId}`).digest('base64url')
  return mediaPath(expiry, signature, objectKeys.manifest(videoId))
}

test('[R31] a researcher uploads a video with the mouse alone, sees it become ready, and plays it', async () => {
  person = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  const { page } = person
  const { http } = world.front()
  await signIn(page, http)
  await page.getByRole('link', { name: 'Media' }).click()
  await page.getByText('No videos yet').waitFor()
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload files' }).click()
  await (await choosing).setFiles(path)
  const card = page.getByRole('article', { name: filename })
  await card.getByText('Ready').waitFor({ timeout: 300_000 })
  await card.getByText('Qualities: 360p, 480p').waitFor()
  expect(await card.textContent()).toContain('854 × 480')
  await waitUntil(
    async () =>
      (await card.locator('img').evaluate((poster: HTMLImageElement) => poster.naturalWidth)) > 0 ||
      'there is no poster',
  )
  await expectGoodPage(page, 'a real video')
  const segments = watchSegments(page)
  await card.getByRole('button', { name: `Play ${filename}` }).click()
  await untilPlaying(page, {})
  await page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.loop = true
  })
  await expectGoodPage(page, 'a real video, playing')
  for (const [level, width] of [
    ['360p', 640],
    ['480p', 854],
  ] as const) {
    await page.getByLabel('Quality').selectOption(level)
    await waitUntil(async () => {
      const { videoWidth } = await playing(page)
      return videoWidth === width || `${videoWidth} pixels wide`
    })
  }
  expect(new Set(segments.map((name) => name.split(' ')[0]))).toEqual(new Set(['360p', '480p']))
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(person.pageErrors).toEqual([])

  const api = createApi(http)
  const { videos } = succeeded(
    await api.call(videoRoutes.list, { token: await api.token('console:ada', ['researcher']) }),
  )
  expect(videos).toMatchObject([{ filename, hlsStatus: 'ready', levels: ['360p', '480p'], isOwn: true }])
  uploaded = videos[0] as VideoRecord
}, 360_000)

test('[R32] a participant watches it: a slow line gets the small picture, a fast one the large; seeking loads what is there', async () => {
  const study = await openVideoStudy()
  person = await createPersonWithBrowser(browser())
  const { page } = person
  const segments = watchSegments(page)
  const line = await page.context().newCDPSession(page)
  const setBytesPerSecond = (downloadThroughput: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      uploadThroughput: -1,
      downloadThroughput,
    })
  await line.send('Network.enable')
  // Enough for 360p, but not for 480p.
  await setBytesPerSecond(200_000)
  await page.goto(study.link)
  await start(page)
  await untilPlaying(page, { width: 640 })
  await seek(page, laterS)
  await untilPlaying(page, { fromS: laterS, width: 640 })
  const loaded = (level: string) => segments.filter((name) => name.startsWith(level))
  const lastNumber = Math.max(...segments.map((name) => Number(name.split(' ')[1])))
  expect(lastNumber, segments.join(', ')).toBeGreaterThanOrEqual(
    Math.floor(laterS / hlsOutput.segmentSeconds),
  )
  expect(loaded('480p')).toEqual([])

  expect(person.pageErrors).toEqual([])

  await setBytesPerSecond(-1)
  // A fast line is enough for the other level, but a busy machine may not have one: the small pictures also end.
  await page.route(/\/master_360p_\d*[^12]\.ts$/, (route) => route.fulfill({ status: 404 }))
  segments.length = 0
  // Begins anew: otherwise the whole video may be there already.
  await page.reload()
  await start(page)
  await waitUntil(() => loaded('480p').length > 1 || `only ${segments.join(', ')}`)
  await seek(page, laterS)
  await untilPlaying(page, { fromS: laterS, width: 854 })
  expect(loaded('360p').length, segments.join(', ')).toBeGreaterThan(0)
})

test('[R32] an address that has expired is refused; the page asks for a new one and plays', async () => {
  const study = await openVideoStudy()
  const expired = signed(Math.floor(Date.now() / 1_000) - 1, uploaded)
  person = await createPersonWithBrowser(browser())
  const { page } = person
  const answers: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('master.m3u8')) answers.push(response.status())
  })
  let addresses = 0
  await page.route('**/api/v4/participant/media*', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { data: { videos: PlayableVideo[] } }
    const [video] = body.data.videos
    // As on a computer that slept, or whose clock is wrong.
    if (video && addresses++ === 0) video.playbackUrl = expired
    await route.fulfill({ response, json: body })
  })
  await page.goto(study.link)
  await start(page)
  await untilPlaying(page, {})
  expect(answers.slice(0, 2)).toEqual([403, 200])
  expect(addresses).toBeGreaterThan(1)
})

test('[R32] only participants whose room shows the video get an address, and no other signature is accepted', async () => {
  const { http } = world.front()
  const api = createApi(http)
  const mediaOf = async (experimentId: string) => {
    const session = await (await createPerson(api)).join(experimentId)
    return succeeded(await api.call(participantRoutes.mediaV4, { session })).data.videos
  }
  const study = await openVideoStudy()
  const elsewhere = await openStudy(world, {
    name: 'Another room',
    states: [{ id: 's1', components: [component('hello', 'text', { text: 'Hello' })] }],
  })
  expect(await mediaOf(elsewhere.experimentId)).toEqual([])
  const [playable] = await mediaOf(study.experimentId)
  const address = playable?.playbackUrl ?? ''
  const expiry = Number(/\/media\/(\d+)\./.exec(address)?.[1])
  // The story signs as the platform does; otherwise what follows would show nothing.
  expect(address).toBe(signed(expiry, uploaded))

  person = await createPersonWithBrowser(browser())
  const { page } = person
  await page.goto(elsewhere.link)
  const statusOf = (asked: string) => page.evaluate(async (url) => (await fetch(url)).status, asked)
  expect(await statusOf(address)).toBe(200)
  const signature = /\.([\w-]+)\/videos/.exec(address)?.[1] ?? ''
  for (const refused of [
    address.replace(String(expiry), String(expiry + 3_600)),
    address.replace(signature, [...signature].reverse().join('')),
    address.replace(uploaded.videoId, 'vid_another'),
    signed(Math.floor(Date.now() / 1_000) - 1, uploaded),
    `/media/${expiry}./${objectKeys.manifest(uploaded.videoId)}`,
  ])
    expect(await statusOf(refused), refused).toBe(403)
  // The original is not among what is played.
  expect(await statusOf(address.replace(/hls\/.*$/, `original/${filename}`))).toBe(404)
})
