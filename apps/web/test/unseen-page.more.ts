import { roomRoutes } from '@atrium/contract'
import { createApi, startWorld, succeeded, type World } from '@atrium/testkit'
import type { Page, WebSocket } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const shown = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

/** As a hand does it: the second press finds whatever has come to be at that place. */
async function press(page: Page, clickCount: number): Promise<void> {
  await page.mouse.down({ clickCount })
  await page.mouse.up({ clickCount })
}

test('a double click on Continue leaves one page, not two', async () => {
  const study = await openStudy(world, {
    name: 'Two pages',
    states: [
      { id: 'first', name: 'First', components: [] },
      {
        id: 'second',
        name: 'Second',
        components: [component('word', 'text_input', { label: 'A word', required: false })],
      },
    ],
    completion: { codes: { SUCCESS: 'BOTH-SEEN' } },
  })
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.goto(study.link)
  await shown(page, 'First')
  const more = page.getByRole('button', { name: 'Continue' })
  await more.hover()
  await press(page, 1)
  await shown(page, 'Second')
  await more.hover()
  await press(page, 2)
  await page.getByLabel('A word').fill('harbour')
  // A double click that begins on this page is as good as a single one.
  await more.dblclick()
  await page.getByText('BOTH-SEEN').waitFor()
  // Refused, had the room moved on with the second press.
  expect(await study.exported()).toContainEqual(
    expect.objectContaining({
      componentId: 'word',
      data: expect.objectContaining({ value: 'harbour' }),
    }),
  )
  await leave()
})

/** Resolves once the page has received a message of the room with these words. */
const heard = (socket: WebSocket, words: string) =>
  socket.waitForEvent('framereceived', { predicate: ({ payload }) => String(payload).includes(words) })

test('Continue on a page that the room has left does not leave the next one, whose parts are still being loaded', async () => {
  const study = await openStudy(world, {
    name: 'On a slow line',
    states: [
      { id: 'first', name: 'First', components: [] },
      {
        id: 'second',
        name: 'Second',
        components: [component('order', 'ranking', { label: 'Order', items: ['a', 'b'], required: false })],
      },
    ],
    completion: { codes: { SUCCESS: 'BOTH-SEEN' } },
  })
  const { page, leave } = await createPersonWithBrowser(browser())
  const part = Promise.withResolvers<void>()
  await page.route(/assets\/ranking-/, (route) => part.promise.then(() => route.continue()))
  const opened = page.waitForEvent('websocket')
  await page.goto(study.link)
  const socket = await opened
  await shown(page, 'First')
  const entered = heard(socket, 'state_entered')
  const params = { roomId: new URL(socket.url()).searchParams.get('roomId') ?? '' }
  const api = createApi(() => world.any().http)
  succeeded(await api.call(roomRoutes.advance, { token: study.researcher.token, params }))
  await entered
  const answered = heard(socket, '"ok":')
  const more = page.getByRole('button', { name: 'Continue' })
  await more.click()
  await answered
  part.resolve()
  await shown(page, 'Second')
  await more.click()
  await page.getByText('BOTH-SEEN').waitFor()
  await leave()
})
