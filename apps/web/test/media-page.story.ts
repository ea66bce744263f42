import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@atrium/contract'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeFilm } from './film.ts'
import { expectGoodPage } from './good-page.ts'
import { failedVideo, pendingVideo, processingVideo, videoRecord } from './media-records.ts'
import { type MediaStub, startMediaStub } from './media-stub.ts'
import { createPersonWithBrowser, type Person, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const desk = { width: 1_280, height: 860 }
const phone = { width: 390, height: 844 }

const browser = useBrowser()
const folder = createTemporaryFolder('film')
let stub: MediaStub
let person: Person
beforeAll(async () => {
  await makeFilm(folder.path)
  stub = await startMediaStub({ film: folder.path })
})
afterAll(async () => {
  await stub?.stop()
  folder.remove()
})
beforeEach(() => {
  stub.setVideos([])
  stub.requests.length = 0
})
afterEach(() => person?.leave())

async function visit({ size = desk, isAdmin = false } = {}): Promise<Page> {
  person = await createPersonWithBrowser(browser(), size)
  const { page } = person
  await signIn(page, stub.address, { isAdmin })
  await page.goto(`${stub.address}/console/media`)
  await page.getByRole('heading', { name: 'Media', exact: true }).waitFor()
  return page
}

const card = (page: Page, name: string) => page.getByRole('article', { name })
const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const chooseMenu = async (page: Page, filename: string, item: string) => {
  await page.getByRole('button', { name: `More about ${filename}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const untilFocused = (element: Locator) =>
  waitUntil(
    async () =>
      (await element.evaluate((button) => button === document.activeElement)) || 'the focus is elsewhere',
  )
const small = (name: string, mimeType = 'video/mp4') => ({ name, mimeType, buffer: Buffer.alloc(2_000, 7) })

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

  test.each([
    ['a desk', desk],
    ['a phone', phone],
  ])('shows every state of a video, in light and dark, on %s', async (_where, size) => {
    const page = await visit({ size })
    await page.getByText('No videos yet').waitFor()
    await expectGoodPage(page, 'empty')
    stub.setVideos(everyState)
    await page.reload()
    await card(page, 'faces.mp4').getByText('Qualities: 360p, 480p, 720p, 1080p').waitFor()
    for (const [name, text] of [
      ['interview.mp4', 'choose the same file again'],
      ['interview.mp4', '6.2 GB · upload begun'],
      ['harbour.mp4', 'ffmpeg is not installed on the server.'],
      ['sintel.mp4', '42%'],
      ['dunes.mp4', 'Waiting for its turn'],
      ['sound.mp4', 'The file has no picture: it holds only sound.'],
      ['faces.mp4', '1 min 32 s · 1920 × 1080 · 84.3 MB'],
      ['baseline.mp4', 'Uploaded by someone else'],
    ] as const)
      expect(await card(page, name).textContent()).toContain(text)
    await expectGoodPage(page, 'library')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: 'Switch to light colours' }).waitFor()
    await expectGoodPage(page, 'library in dark colours')
    await page.getByLabel('Search').fill('FACES')
    await page.getByText('1 of 7 videos').waitFor()
    const study = card(page, 'faces.mp4').getByRole('link', { name: 'Faces in step' })
    expect(await study.getAttribute('href')).toBe('/console/experiments/exp_1')
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
    person = await createPersonWithBrowser(browser(), desk)
    const { page } = person
    await page.routeWebSocket(/socket\.io/, (socket) => void socket.close())
    await signIn(page, stub.address)
    await page.goto(`${stub.address}/console/media`)
    await card(page, 'sintel.mp4').getByText('80%').waitFor()
    stub.setVideos([videoRecord('sintel')])
    await card(page, 'sintel.mp4').getByText('Ready').waitFor()
  })

  test('a list that cannot be loaded says so, and can be tried again', async () => {
    person = await createPersonWithBrowser(browser(), desk)
    const { page } = person
    await signIn(page, stub.address)
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
    const film = dialog.locator('video')
    const isPlaying = () => film.evaluate((video: HTMLVideoElement) => video.currentTime > 0.5)
    await waitUntil(async () => (await isPlaying()) || 'the film does not play')
    await dialog.getByLabel('Quality').selectOption('480p')
    const widthOf = () => film.evaluate((video: HTMLVideoElement) => video.videoWidth)
    await waitUntil(async () => {
      await film.evaluate((video: HTMLVideoElement) => {
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

  test('[R31] only a film that is ready is offered for a study', async () => {
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

  test('a film that is gone is reported, and can be tried again', async () => {
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
    await person.leave()
    const page = await visit({ isAdmin: true })
    await card(page, 'sound.mp4').getByRole('button', { name: 'Process again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Process again' }).click()
    await card(page, 'sound.mp4').getByText('Waiting').waitFor()
  })
})

describe('[R31] uploads', () => {
  const pickFiles = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
    page.locator('.drop-area input[type=file]').setInputFiles(files)

  test('dropped files are sent one after the other; others are refused', async () => {
    const page = await visit()
    await page.getByText('No videos yet').waitFor()
    const letThrough = stub.hold('POST /api/upload/video')
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer()
      const add = (name: string, type: string) => transfer.items.add(new File(['12345'], name, { type }))
      add('first.mp4', 'video/mp4')
      add('notes.txt', 'text/plain')
      add('second.mkv', '')
      return transfer
    })
    await page.dispatchEvent('body', 'dragover', { dataTransfer: dropped })
    await page.getByText('Drop the files to upload them.').waitFor()
    await page.dispatchEvent('body', 'drop', { dataTransfer: dropped })
    await page.getByText('notes.txt is not a video.').waitFor()
    await uploads(page).getByText('Waiting for the others').waitFor()
    await expectGoodPage(page, 'uploads')
    await page.getByRole('button', { name: 'Pause the upload of second.mkv' }).click()
    await uploads(page).getByText('Paused').waitFor()
    letThrough()
    await card(page, 'first.mp4').waitFor()
    expect(await card(page, 'second.mkv').count()).toBe(0)
    await page.getByRole('button', { name: 'Resume the upload of second.mkv' }).click()
    await card(page, 'second.mkv').waitFor()
    await uploads(page).waitFor({ state: 'detached' })
    expect(stub.videos().map(({ filename, contentType }) => `${filename} ${contentType}`)).toEqual([
      'second.mkv video/x-matroska',
      'first.mp4 video/mp4',
    ])
    expect(person.pageErrors).toEqual([])
  })

  test('an upload goes on while other pages are visited', async () => {
    const page = await visit()
    const letThrough = stub.hold('POST /api/upload/video')
    await pickFiles(page, [small('first.mp4')])
    await uploads(page).waitFor()
    await page.getByRole('link', { name: 'Experiments' }).click()
    await page.getByRole('heading', { name: 'Experiments', exact: true }).waitFor()
    letThrough()
    await page.getByText('“first.mp4” has been uploaded.').waitFor()
  })

  test('a refusal is explained, and the file can be tried again', async () => {
    const page = await visit()
    const error = 'There is no space left for this file.'
    stub.refuse('POST /api/upload/video', { status: 507, code: 'STORAGE_FULL', error })
    await pickFiles(page, [small('first.mp4')])
    await uploads(page).getByText(error).waitFor()
    await expectGoodPage(page, 'failed upload')
    await page.getByRole('button', { name: 'Try again to upload first.mp4' }).click()
    await card(page, 'first.mp4').waitFor()
  })

  test('a large file is sent in parts, continues after a reload, and repeats only what is missing', async () => {
    const path = join(folder.path, 'lecture.mp4')
    writeFileSync(path, '')
    truncateSync(path, limits.uploadPartBytes + 5_000_000)
    const page = await visit()
    await page.getByText('No videos yet').waitFor()
    const parts = () => stub.requests.filter((name) => name.startsWith('PUT /objects/'))
    const arrived = (count: number) =>
      waitUntil(() => parts().length === count || `${parts().length} parts arrived`)
    const letSecondThrough = stub.hold(/^PUT .*\/2$/)
    await pickFiles(page, path)
    await arrived(2)
    await waitUntil(() => stub.storedParts().includes(1) || 'the first part is not stored yet')
    expect(await card(page, 'lecture.mp4').count()).toBe(0)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    const unfinished = card(page, 'lecture.mp4')
    await unfinished.getByText('Upload not finished').waitFor()
    await unfinished.locator('input[type=file]').setInputFiles(small('lecture.mp4'))
    await page.getByText('lecture.mp4 is another file, or has been changed since.').waitFor()
    await unfinished.locator('input[type=file]').setInputFiles(path)
    await uploads(page).waitFor()
    await arrived(3)
    letSecondThrough()
    await card(page, 'lecture.mp4').getByText('It will be processed soon.').waitFor()
    expect(
      parts()
        .map((name) => name.at(-1))
        .toSorted(),
    ).toEqual(['1', '2', '2'])
  })

  test('cancelling asks first, and removes what was sent', async () => {
    const path = join(folder.path, 'lecture.mp4')
    writeFileSync(path, '')
    truncateSync(path, limits.uploadPartBytes + 5_000_000)
    const page = await visit()
    await page.getByText('No videos yet').waitFor()
    const letThrough = stub.hold('PUT /objects/')
    await pickFiles(page, path)
    await uploads(page)
      .getByText(/MB of 109.9 MB/)
      .waitFor()
    await page.getByRole('button', { name: 'Cancel the upload of lecture.mp4' }).click()
    const dialog = page.getByRole('dialog', { name: 'Cancel this upload?' })
    await dialog.getByText('have been sent and will be deleted').waitFor()
    await dialog.getByRole('button', { name: 'Cancel the upload' }).click()
    await uploads(page).waitFor({ state: 'detached' })
    await page.getByText('No videos yet').waitFor()
    expect(stub.videos()).toEqual([])
    letThrough()
  })
})
