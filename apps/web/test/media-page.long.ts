import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { makeVideo } from './made-video.ts'
import { failedVideo, pendingVideo, processingVideo, videoRecord } from './media-records.ts'
import { type MediaStub, startMediaStub } from './media-stub.ts'
import { card, desk, openMedia, useResearcher } from './media-visit.ts'
import { createPersonWithBrowser, type Person, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const phone = { width: 390, height: 844 }

const browser = useBrowser()
const researcher = useResearcher(browser, () => stub.address)
const administrator = useResearcher(browser, () => stub.address, { isAdmin: true })
const folder = createTemporaryFolder('film')
let stub: MediaStub
let person: Person
beforeAll(async () => {
  await makeVideo(folder.path)
  stub = await startMediaStub({ outputFolder: folder.path })
})
afterAll(async () => {
  await stub?.stop()
  folder.remove()
})
beforeEach(() => {
  stub.setVideos([])
  stub.requests.length = 0
  stub.tokens.length = 0
})

async function visit({ size = desk, as = researcher } = {}): Promise<Page> {
  person = await as(size)
  await openMedia(person.page, stub.address)
  return person.page
}

const chooseMenu = async (page: Page, filename: string, item: string) => {
  await page.getByRole('button', { name: `More about ${filename}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const untilFocused = (element: Locator) =>
  waitUntil(
    async () =>
      (await element.evaluate((button) => button === document.activeElement)) || 'the focus is elsewhere',
  )

describe('the library', () => {
  const everyState = [
    pendingVideo('interview', { uploadId: 'up_0', size: 6_240_000_000 }),
    pendingVideo('harbour', { hlsNote: 'ffmpeg is not installed on the server.' }),
    processingVideo('sintel', 0.42),
    processingVideo('dunes', 0),
    failedVideo('sound', 'The file has no picture: it holds only sound.'),
    videoRecord('faces', { usedBy: [{ experimentId: 'exp_1', name: 'Faces in step' }] }),
    videoRecord('baseline', { isOwn: false, levels: ['360p'] }),
  ]

  const shownTexts = [
    ['interview.mp4', 'choose the same file again'],
    ['interview.mp4', '6.2 GB · upload begun'],
    ['harbour.mp4', 'ffmpeg is not installed on the server.'],
    ['sintel.mp4', '42%'],
    ['dunes.mp4', 'Waiting for its turn'],
    ['sound.mp4', 'The file has no picture: it holds only sound.'],
    ['faces.mp4', '1 min 32 s · 1920 × 1080 · 84.3 MB'],
    ['baseline.mp4', 'Uploaded by someone else'],
  ] as const

  test('shows every state of a video, in light and dark, on a desk and on a phone', async () => {
    const page = await visit()
    const expectGoodOnBoth = async (where: string) => {
      await expectGoodPage(page, `${where} on a desk`)
      await page.setViewportSize(phone)
      await expectGoodPage(page, `${where} on a phone`)
    }
    await page.getByText('No videos yet').waitFor()
    await expectGoodOnBoth('empty')
    stub.setVideos(everyState)
    for (const size of [phone, desk]) {
      await page.setViewportSize(size)
      await page.reload()
      await card(page, 'faces.mp4').getByText('Qualities: 360p, 480p, 720p, 1080p').waitFor()
      for (const [name, text] of shownTexts) expect(await card(page, name).textContent()).toContain(text)
    }
    await expectGoodOnBoth('library')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Switch to light colours' }).waitFor()
    await page.setViewportSize(desk)
    await expectGoodOnBoth('library in dark colours')
    for (const size of [phone, desk]) {
      await page.setViewportSize(size)
      await page.getByLabel('Search').fill('FACES')
      await page.getByText('1 of 7 videos').waitFor()
      const study = card(page, 'faces.mp4').getByRole('link', { name: 'Faces in step' })
      expect(await study.getAttribute('href')).toBe('/console/experiments/exp_1')
      await page.getByLabel('Search').fill('')
      await page.getByText('7 videos', { exact: true }).waitFor()
    }
    expect(person.pageErrors).toEqual([])
  })

  test('[R31] changes appear as they are pushed', async () => {
    stub.setVideos([pendingVideo('sintel')])
    const page = await visit()
    await card(page, 'sintel.mp4').getByText('It will be processed soon.').waitFor()
    await waitUntil(() => stub.tokens.length > 0 || 'nobody listens yet')
    expect(stub.tokens[0]).toBe('e30.e30.x')
    stub.push(processingVideo('sintel', 0.8))
    await card(page, 'sintel.mp4').getByText('80%').waitFor()
    stub.push(videoRecord('sintel'))
    await card(page, 'sintel.mp4').getByText('Ready').waitFor()
    stub.push(videoRecord('another', { createdAt: '2026-08-09T12:00:00.000Z' }))
    await page.getByText('2 videos').waitFor()
    expect(await page.getByRole('article').first().getAttribute('aria-label')).toBe('another.mp4')
  })

  test('without a push, the list is read again while something is in progress', async () => {
    stub.setVideos([processingVideo('sintel', 0.8)])
    // A profile of its own: what is done to sockets cannot be undone.
    const { page, leave } = await createPersonWithBrowser(browser(), desk)
    await page.routeWebSocket(/socket\.io/, (socket) => void socket.close())
    await signIn(page, stub.address)
    await page.goto(`${stub.address}/console/media`)
    await card(page, 'sintel.mp4').getByText('80%').waitFor()
    stub.setVideos([videoRecord('sintel')])
    await card(page, 'sintel.mp4').getByText('Ready').waitFor()
    await leave()
  })

  test('a list that cannot be loaded says so, and can be tried again', async () => {
    const { page } = await researcher()
    await page.route(/\/api\/videos\?/, (route) =>
      route.fulfill({ status: 500, json: { error: 'Something went wrong.', code: 'INTERNAL', details: {} } }),
    )
    await page.goto(`${stub.address}/console/media`)
    await page.getByRole('alert').getByText('Something went wrong.').waitFor()
    await expectGoodPage(page, 'failure')
    await page.unroute(/\/api\/videos\?/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No videos yet').waitFor()
  })
})

describe('what can be done with a video', () => {
  test('it plays in a dialog, in any of its qualities, by keyboard alone', async () => {
    stub.setVideos([videoRecord('faces')])
    const page = await visit()
    await page.getByRole('button', { name: 'Play faces.mp4' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'faces.mp4' })
    const player = dialog.locator('video')
    const isPlaying = () => player.evaluate((video: HTMLVideoElement) => video.currentTime > 0.5)
    await waitUntil(async () => (await isPlaying()) || 'the video does not play')
    await dialog.getByLabel('Quality').selectOption('480p')
    const widthOf = () => player.evaluate((video: HTMLVideoElement) => video.videoWidth)
    await waitUntil(async () => {
      await player.evaluate((video: HTMLVideoElement) => {
        if (video.ended) return video.play()
      })
      return (await widthOf()) === 854 || `still ${await widthOf()} pixels wide`
    })
    await expectGoodPage(page, 'player')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await untilFocused(page.getByRole('button', { name: 'Play faces.mp4' }))
    expect(person.pageErrors).toEqual([])
  })

  test('the focus goes back to the menu of a video whose dialog is closed', async () => {
    stub.setVideos([videoRecord('faces'), videoRecord('harbour')])
    const page = await visit()
    for (const item of ['Use in a study', 'Delete']) {
      await chooseMenu(page, 'harbour.mp4', item)
      await page.getByRole('dialog').waitFor()
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await untilFocused(page.getByRole('button', { name: 'More about harbour.mp4' }))
    }
  })

  test('[R31] only a video that is ready is offered for a study', async () => {
    stub.setVideos([failedVideo('sound', 'No picture.'), processingVideo('sintel', 0.42)])
    const page = await visit()
    for (const filename of ['sound.mp4', 'sintel.mp4']) {
      await page.getByRole('button', { name: `More about ${filename}` }).click()
      await page.getByRole('menuitem', { name: 'Copy the video ID' }).waitFor()
      expect(await page.getByRole('menuitem', { name: 'Use in a study' }).count()).toBe(0)
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
  })

  test('a video that is gone is reported, and can be tried again', async () => {
    stub.setVideos([videoRecord('faces', { playbackUrl: '/media/signed/videos/faces/hls/gone.m3u8' })])
    const page = await visit()
    await page.getByRole('button', { name: 'Play faces.mp4' }).click()
    await page.getByText('The video cannot be played').waitFor()
    stub.setVideos([videoRecord('faces')])
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Quality').waitFor()
  })

  test('its id and a state for a study can be copied', async () => {
    stub.setVideos([videoRecord('faces')])
    const page = await visit({ size: phone })
    await person.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await chooseMenu(page, 'faces.mp4', 'Copy the video ID')
    await page.getByRole('menuitem', { name: 'Copied' }).waitFor()
    expect(await copied()).toBe('faces')
    await page.getByRole('menuitem', { name: 'Use in a study' }).click()
    await page.getByRole('region', { name: 'State for the definition' }).waitFor()
    await expectGoodPage(page, 'snippet')
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(JSON.parse(await copied())).toMatchObject({
      components: [{ type: 'video', videoId: 'faces' }],
      end: { afterMs: 152_000 },
    })
  })

  test('it is deleted after a warning, but not while a study uses it', async () => {
    stub.setVideos([
      videoRecord('unused'),
      videoRecord('used', { usedBy: [{ experimentId: 'exp_1', name: 'Pilot' }] }),
    ])
    const page = await visit()
    await page.getByRole('button', { name: 'More about used.mp4' }).click()
    await page.getByText('A study uses it, so it cannot be deleted.').waitFor()
    expect(await page.getByRole('menuitem', { name: 'Delete' }).isEnabled()).toBe(false)
    expect(await page.getByRole('menuitem', { name: 'Process again' }).count()).toBe(0)
    await page.getByRole('menuitem', { name: 'Delete' }).press('Escape')
    // A menu fades away, and until then both have an item of this name.
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await chooseMenu(page, 'unused.mp4', 'Delete')
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText('“unused.mp4” (84.3 MB, 1 min 32 s) will be deleted, with the 4 qualities')
      .waitFor()
    await expectGoodPage(page, 'deletion')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('“unused.mp4” has been deleted.').waitFor()
    await card(page, 'unused.mp4').waitFor({ state: 'detached' })
    expect(stub.videos().map(({ videoId }) => videoId)).toEqual(['used'])
  })

  test('[R31] only administrators can have it processed again', async () => {
    const measured = { width: 640, height: 360 }
    stub.setVideos([
      { ...failedVideo('sound', 'The disk is full.'), ...measured },
      failedVideo('notes', 'This file is not a video.'),
    ])
    const asResearcher = await visit()
    const help = 'An administrator can process it again.'
    await card(asResearcher, 'sound.mp4').getByText(help).waitFor()
    // It would fail in the same way again.
    expect(await card(asResearcher, 'notes.mp4').getByText(help).count()).toBe(0)
    expect(await asResearcher.getByRole('button', { name: 'Process again' }).count()).toBe(0)
    const page = await visit({ as: administrator })
    await card(page, 'sound.mp4').getByRole('button', { name: 'Process again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Process again' }).click()
    await card(page, 'sound.mp4').getByText('Waiting').waitFor()
  })
})
