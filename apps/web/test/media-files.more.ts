import { limits } from '@atrium/contract'
import { startWorld, type World, waitUntil } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outlineOf } from './builder.ts'
import { expectGoodEverywhere, phone } from './good-page.ts'
import { card, desk, useResearcher } from './media-visit.ts'
import { openStudy, type Person, useBrowser } from './people.ts'
import { pictureOf, tone, zipOf } from './sample-files.ts'
import { component } from './studies.ts'

const browser = useBrowser()
const researcher = useResearcher(browser, () => world.front().http)
let world: World
let person: Person
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

async function visit({ size = desk } = {}): Promise<Page> {
  person = await researcher(size)
  await person.page.goto(`${world.front().http}/console/media/files`)
  await person.page.getByRole('heading', { name: 'Media', exact: true }).waitFor()
  return person.page
}

const file = (name: string, buffer: Buffer) => ({ name, mimeType: '', buffer })
const pick = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.locator('.drop-area input[type=file]').setInputFiles(files)
const uploads = (page: Page) => page.getByRole('region', { name: 'Uploads' })

const chooseMenu = async (page: Page, name: string, item: string) => {
  await page.getByRole('button', { name: `More about ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('[R67] many files and a ZIP are uploaded together with progress, and shown with previews and uses', async () => {
  const page = await visit()
  await page.getByText('No pictures or sounds yet').waitFor()
  await expectGoodEverywhere(page, 'no pictures')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/upload/media', async (route) => {
    await held.promise
    await route.continue()
  })
  const zip = zipOf({ 'set/face-02.png': pictureOf(2), 'set/face-03.png': pictureOf(3) })
  await pick(page, file('face-01.png', pictureOf(1)), file('beep.wav', tone), file('faces.zip', zip))
  await uploads(page).getByText('face-01.png and 2 other files').waitFor()
  await expectGoodEverywhere(page, 'an upload of pictures')
  held.resolve()
  await page.getByText('3 files have been uploaded.').waitFor()
  await page.getByText('4 files', { exact: true }).waitFor()
  await uploads(page).waitFor({ state: 'detached' })
  for (const name of ['face-01.png', 'face-02.png', 'face-03.png'])
    await waitUntil(async () => {
      const width = await card(page, name)
        .locator('img')
        .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)
      return width === 32 || `the preview of ${name} is ${width} wide`
    })
  const player = card(page, 'beep.wav').getByLabel('Play beep.wav')
  await player.evaluate(async (sound) => {
    if (sound instanceof HTMLAudioElement) await sound.play()
  })
  await openStudy(world, {
    name: 'Faces',
    states: [{ id: 'look', components: [component('face', 'image', { src: 'media:face-02.png' })] }],
  })
  await page.reload()
  await card(page, 'face-02.png').getByRole('link', { name: 'Faces' }).waitFor()
  await page.getByRole('button', { name: 'More about face-02.png' }).click()
  await page.getByText('A study uses it, so it cannot be deleted.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await expectGoodEverywhere(page, 'the library of pictures')
  await page.setViewportSize(phone)
  await page.getByLabel('Search').fill('FACE-0')
  await page.getByText('3 of 4 files').waitFor()
  await page.getByLabel('Search').fill('nobody')
  await page.getByText('No picture or sound has “nobody” in its name or ID.').waitFor()
  expect(person.pageErrors).toEqual([])
})

test('[R67] what is not a picture is refused before it is sent, and what the platform refuses says why', async () => {
  const page = await visit()
  await pick(page, file('logo.svg', Buffer.from('<svg/>')), file('notes.txt', Buffer.from('notes')))
  await page.getByText('2 files were not uploaded').waitFor()
  await page.getByText('logo.svg is not a video, a picture').waitFor()
  await pick(page, file('odd.png', Buffer.from('no picture at all')), file('fine.png', pictureOf(20)))
  await uploads(page)
    .getByText(/odd\.png/)
    .last()
    .waitFor()
  await uploads(page).getByRole('alert').waitFor()
  await expectGoodEverywhere(page, 'a refused upload')
  expect(await card(page, 'fine.png').count()).toBe(0)
  await page.getByRole('button', { name: /^Cancel the upload of odd\.png/ }).click()
  await uploads(page).waitFor({ state: 'detached' })
})

test('[R67] a file is renamed and deleted with the keyboard, and a name that is taken is refused', async () => {
  const page = await visit()
  await pick(page, file('left.png', pictureOf(11)), file('right.png', pictureOf(12)))
  await card(page, 'right.png').waitFor()
  const more = page.getByRole('button', { name: 'More about right.png' })
  await more.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rename this file' })
  await dialog.getByLabel('Name').fill('left.png')
  await page.keyboard.press('Enter')
  await dialog.getByText('You have another file named ‘left.png’').waitFor()
  await expectGoodEverywhere(page, 'a name that is taken')
  await dialog.getByLabel('Name').fill('Müller.png')
  await page.keyboard.press('Enter')
  await page.getByText('“right.png” is now called “Müller.png”.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await card(page, 'Müller.png').waitFor()
  await chooseMenu(page, 'left.png', 'Delete')
  await page.getByRole('dialog').getByText('“left.png” (').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await waitUntil(
    async () =>
      (await page
        .getByRole('button', { name: 'More about left.png' })
        .evaluate((button) => button === document.activeElement)) || 'the focus is elsewhere',
  )
  await chooseMenu(page, 'left.png', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('“left.png” has been deleted.').waitFor()
  await card(page, 'left.png').waitFor({ state: 'detached' })
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await chooseMenu(page, 'Müller.png', 'Copy the name')
  await page.getByRole('menuitem', { name: 'Copied' }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('media:Müller.png')
})

test('[R67] the builder offers uploaded files where a component takes a picture or a sound', async () => {
  const page = await visit()
  await pick(
    page,
    file('builder-1.png', pictureOf(31)),
    file('builder-2.png', pictureOf(32)),
    file('hum.wav', tone),
  )
  await card(page, 'builder-2.png').waitFor()
  const { experimentId } = await openStudy(world, {
    name: 'To illustrate',
    states: [
      {
        id: 'look',
        components: [component('shown', 'image', { src: '/examples/picture.svg', alt: 'A face' })],
      },
    ],
  })
  await page.goto(`${world.front().http}/console/experiments/${experimentId}/definition`)
  await outlineOf(page).getByRole('button', { name: 'look' }).first().click()
  const field = (path: string) => page.locator(`[data-at="/states/0/components/${path}"]`)
  await page
    .getByRole('button', { name: /^Image/ })
    .first()
    .click()
  await field('0/mediaId').getByRole('button', { name: 'Choose an uploaded picture' }).click()
  const dialog = page.getByRole('dialog', { name: 'Uploaded pictures' })
  expect(await dialog.getByRole('listitem').filter({ hasText: 'hum.wav' }).count()).toBe(0)
  await dialog.getByLabel('Search').fill('BUILDER-1')
  await expectGoodEverywhere(page, 'the picker of pictures')
  await dialog.getByRole('button', { name: /builder-1/ }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await field('0/mediaId').getByText('builder-1.png').waitFor()
  const shown = page.frameLocator('.builder-preview iframe').getByRole('img', { name: 'A face' })
  const untilShown = () =>
    waitUntil(async () => {
      const width = await shown.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)
      return width === 32 || `the preview shows a picture that is ${width} wide`
    })
  await untilShown()
  await expectGoodEverywhere(page, 'a chosen picture')
  expect(await page.getByRole('textbox', { name: 'Picture' }).inputValue()).toBe('')
  await page.getByRole('button', { name: 'Choose an uploaded picture' }).last().click()
  await dialog.getByRole('button', { name: /builder-2/ }).click()
  expect(await page.getByRole('textbox', { name: 'Picture' }).inputValue()).toBe('media:builder-2.png')
  await untilShown()
  await page.getByText('No problems found').waitFor()
  expect(person.pageErrors).toEqual([])
})

test('[R67] a list that loads is announced, and one that cannot be loaded can be tried again', async () => {
  const { page } = await researcher()
  const list = /\/api\/media-files\?/
  const held = Promise.withResolvers<void>()
  await page.route(list, async (route) => {
    await held.promise
    await route.fulfill({
      status: 500,
      json: { error: 'Something went wrong.', code: 'INTERNAL', details: {} },
    })
  })
  await page.goto(`${world.front().http}/console/media`)
  await page.getByRole('tab', { name: 'Pictures and sounds' }).click()
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  held.resolve()
  await page.getByRole('alert').getByText('Something went wrong.').waitFor()
  await expectGoodEverywhere(page, 'pictures that cannot be listed')
  await page.unroute(list)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByLabel('Search').waitFor()
})

test('[R67] of many files, some are shown and the rest on request', async () => {
  const page = await visit()
  const pictures = Array.from({ length: 70 }, (_, at) => file(`many-${at}.png`, pictureOf(100 + at)))
  expect(pictures.length).toBeLessThan(limits.media.filesPerUpload)
  await pick(page, ...pictures)
  await page.getByText('70 files have been uploaded.').waitFor()
  await page.getByLabel('Search').fill('many-')
  await page.getByText(/^70 of/).waitFor()
  expect(await page.getByRole('article').count()).toBe(60)
  await page.getByRole('button', { name: 'Show 10 more' }).click()
  await card(page, 'many-0.png').waitFor()
  expect(await page.getByRole('article').count()).toBe(70)
})
