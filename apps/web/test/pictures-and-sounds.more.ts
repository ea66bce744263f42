import { mediaRoutes, type UploadedMedia } from '@atrium/contract'
import { createApi, createResearcher, startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { picture, tone } from './sample-files.ts'
import { component } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const ada = () =>
  createResearcher(
    createApi(() => world.any().http),
    ['researcher'],
    'console:ada',
  )

async function upload(files: Record<string, Buffer>): Promise<UploadedMedia['media']> {
  const body = new FormData()
  for (const [name, content] of Object.entries(files))
    body.append('file', new Blob([new Uint8Array(content)]), name)
  const { token } = await ada()
  const response = await fetch(world.any().http + mediaRoutes.upload.path, {
    ...{ method: 'POST', body },
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'atrium-test/1.0' },
  })
  expect(response.status).toBe(200)
  const answer: UploadedMedia = await response.json()
  return answer.media
}

const study = (...pages: ReturnType<typeof component>[][]) => ({
  name: 'Faces and tones',
  states: pages.map((components, index) => ({ id: `page${index}`, name: `Page ${index}`, components })),
  completion: { codes: { SUCCESS: 'ALL-SEEN' } },
})

test('[R67] a page shows its pictures and plays its sounds, by id and by name', async () => {
  const [face, sound] = await upload({ 'face 1.png': picture, 'tone 1.wav': tone })
  const { link } = await openStudy(
    world,
    study([
      component('by-id', 'image', { mediaId: face?.mediaId, alt: 'A face' }),
      component('tone', 'audio', { mediaId: sound?.mediaId, controls: true, required: false }),
      component('choice', 'multiple_choice', {
        options: ['none', { value: 1, label: 'This one', image: 'media:face 1.png' }],
      }),
    ]),
  )
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.goto(link)
  await page.getByRole('img', { name: 'A face' }).waitFor()
  const widths = await page
    .locator('.component img')
    .evaluateAll((images) => images.map((image) => image instanceof HTMLImageElement && image.naturalWidth))
  expect(widths).toEqual([1, 1])
  const audio = page.locator('audio')
  await audio.evaluate(async (element) => {
    if (element instanceof HTMLAudioElement) await element.play()
  })
  expect(await audio.getAttribute('src')).toMatch(/^\/media\//)
  await expectGoodPage(page, 'uploaded pictures and sounds')
  await leave()
})

test('[R67] what is still loading is shown as progress; what cannot be loaded is recorded, and can be tried again or left out', async () => {
  const [here, gone] = await upload({ 'face 2.png': picture, 'face 3.png': Buffer.concat([picture, tone]) })
  const { link, exported } = await openStudy(
    world,
    study(
      [component('here', 'image', { mediaId: here?.mediaId, alt: 'A face' })],
      [component('gone', 'image', { mediaId: gone?.mediaId, alt: 'Another face' })],
    ),
  )
  const { page, leave } = await createPersonWithBrowser(browser())
  const held = Promise.withResolvers<void>()
  await page.route(new RegExp(String(here?.mediaId)), async (route) => {
    await held.promise
    await route.continue()
  })
  await page.route(new RegExp(String(gone?.mediaId)), (route) => route.abort())
  await page.goto(link)
  await page.getByRole('progressbar', { name: 'Loading pictures and sounds …' }).waitFor()
  await expectGoodPage(page, 'a page that is loading its pictures')
  expect(await page.getByRole('button', { name: 'Continue' }).count()).toBe(0)
  held.resolve()
  await page.getByRole('img', { name: 'A face' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Not all pictures and sounds of this page could be loaded.').waitFor()
  await expectGoodPage(page, 'a page whose pictures could not be loaded')
  await page.unroute(new RegExp(String(gone?.mediaId)))
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('img', { name: 'Another face' }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('ALL-SEEN').waitFor()
  expect((await exported()).filter(({ type }) => type === 'media_failed')).toMatchObject([
    {
      componentId: 'gone',
      stateId: 'page1',
      data: { media: gone?.mediaId, mediaId: gone?.mediaId, reason: 'not_loaded' },
    },
  ])
  await leave()
})

test('[R67] somebody can go on without a picture that cannot be loaded', async () => {
  const [gone] = await upload({ 'face 4.png': picture })
  const { link } = await openStudy(
    world,
    study([component('gone', 'image', { src: 'media:face 4.png', alt: 'A face' })]),
  )
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.route(new RegExp(String(gone?.mediaId)), (route) => route.abort())
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue without them' }).click()
  await page.getByText('The image could not be loaded.').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('ALL-SEEN').waitFor()
  await leave()
})

test('[R67,RM244] nobody is held by a question about a picture that does not load, and the record says why there is no answer', async () => {
  const [gone] = await upload({ 'face 5.png': picture })
  const { link, exported } = await openStudy(
    world,
    study([
      component('uploaded', 'hot_spot', { src: 'media:face 5.png', alt: 'A face' }),
      component('elsewhere', 'hot_spot', { src: '/nowhere.png?key=hidden', alt: 'A street' }),
    ]),
  )
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.route(new RegExp(`${gone?.mediaId}|nowhere`), (route) => route.abort())
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue without them' }).click()
  const ways = page.getByRole('button', { name: 'Continue without this question' })
  await ways.nth(1).waitFor()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByText('Please answer this question.').first().waitFor()
  for (const at of [0, 1]) await ways.nth(at).click()
  await expect.poll(() => page.getByText('You can continue. This question stays unanswered.').count()).toBe(2)
  await expectGoodPage(page, 'questions about pictures that could not be loaded')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByText('ALL-SEEN').waitFor()
  const events = await exported()
  expect(events.filter(({ type }) => type === 'answers_missing')).toMatchObject([
    {
      data: {
        components: [
          { componentId: 'uploaded', reason: 'not_loaded' },
          { componentId: 'elsewhere', reason: 'not_loaded' },
        ],
      },
    },
  ])
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'media_failed',
      componentId: 'elsewhere',
      data: { media: '/nowhere.png', mediaId: null, reason: 'not_loaded' },
    }),
  )
  await leave()
})
