import { truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { limits } from '@atrium/contract'
import { createTemporaryFolder, waitUntil } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { type MediaStub, startMediaStub } from './media-stub.ts'
import { card, openMedia, useResearcher } from './media-visit.ts'
import { type Person, useBrowser } from './people.ts'

const browser = useBrowser()
const researcher = useResearcher(browser, () => stub.address)
const folder = createTemporaryFolder('uploads')
let stub: MediaStub
let person: Person
beforeAll(async () => {
  // Without a video: no video here is ever ready.
  stub = await startMediaStub({ outputFolder: folder.path })
})
afterAll(async () => {
  await stub?.stop()
  folder.remove()
})
beforeEach(() => {
  stub.setVideos([])
  stub.requests.length = 0
})

async function visit(): Promise<Page> {
  person = await researcher()
  await openMedia(person.page, stub.address)
  return person.page
}

const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' })
const small = (name: string, mimeType = 'video/mp4') => ({ name, mimeType, buffer: Buffer.alloc(2_000, 7) })

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
    await page.getByText('notes.txt is not a video, a picture').waitFor()
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
    await page.getByRole('link', { name: 'Studies' }).click()
    await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor()
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
