import { openBrowser, waitUntil } from '@atrium/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundleClient } from './test/browser.ts'
import { startFakeRoom } from './test/fake-room.ts'
import { setUpPlatform } from './test/set-up.ts'

const html = `<!doctype html><title>A participant</title><script type="module">
  import { connectRoom, createParticipant } from '/client.js'
  const participant = createParticipant({ baseUrl: location.origin, getIdToken: () => 'ann' })
  Object.assign(window, { participant, connectRoom })
</script>`

/** Runs an expression in the page, where `participant` and `connectRoom` are. */
const run = <Result>(page: Page, expression: string): Promise<Result> => page.evaluate(expression)

const record = (from: number, to: number): string => `(async () => {
  for (let number = ${from}; number <= ${to}; number++)
    await participant.record({ type: 'click', eventId: 'e' + number, data: { number } })
})()`

const numbers = (to: number): string[] => Array.from({ length: to }, (_, index) => `e${index + 1}`)

describe('in a real browser', () => {
  let browser: Browser
  let client = ''
  beforeAll(async () => {
    client = await bundleClient()
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  async function setUp() {
    const platform = await setUpPlatform()
    platform.pages.set('/', { type: 'text/html', body: html })
    platform.pages.set('/client.js', { type: 'text/javascript', body: client })
    const context = await browser.newContext()
    const openTab = async () => {
      const page = await context.newPage()
      await page.goto(platform.baseUrl)
      await page.waitForFunction('"participant" in window')
      await run(page, `participant.join('x').then(() => null)`)
      return page
    }
    return { platform, context, openTab }
  }

  test('what was not sent survives a reload, and arrives once', async () => {
    const { platform, context, openTab } = await setUp()
    const page = await openTab()
    await run(page, record(1, 3))
    await run(page, 'participant.flush()')
    platform.mishaps.events.push('hang')
    await run(page, record(4, 9))
    await waitUntil(() => platform.mishaps.events.length === 0 || 'nothing was sent yet')
    expect(await run(page, 'participant.unsafe()')).toBe(6)
    await page.reload()
    await page.waitForFunction('"participant" in window')
    await run(page, `participant.join('x').then(() => null)`)
    expect(await run(page, 'participant.complete({ completionCode: "SUCCESS" })')).toMatchObject({
      completionCode: 'SUCCESS',
    })
    expect(platform.storedIds()).toEqual(numbers(9))
    expect(platform.requests.at(-1)?.body).toMatchObject({ summary: { totalEvents: 9 } })
    await context.close()
  })

  test('of two tabs the newer one sends for both; closed, it gives back', async () => {
    const { platform, context, openTab } = await setUp()
    const [one, other] = [await openTab(), await openTab()]
    await waitUntil(async () => {
      const kind = await run<string>(one, 'participant.status.kind')
      return kind === 'replaced' || kind
    })
    await Promise.all([run(one, record(1, 20)), run(other, record(21, 40))])
    await Promise.all([run(one, 'participant.flush()'), run(other, 'participant.flush()')])
    expect(platform.storedIds().toSorted()).toEqual(numbers(40).toSorted())
    expect(platform.requests.filter(({ endpoint }) => endpoint === 'join')).toHaveLength(2)
    await other.close()
    await run(one, record(41, 45))
    await run(one, 'participant.flush()')
    expect(platform.storedIds().toSorted()).toEqual(numbers(45).toSorted())
    await context.close()
  })

  test('a room works over the browser’s own websocket', async () => {
    const { platform, context, openTab } = await setUp()
    const room = startFakeRoom(platform)
    const page = await openTab()
    expect(await run(page, `(window.room = connectRoom(participant)).submitResponse('c1', 5)`)).toBe(1)
    room.cutConnection()
    expect(await run(page, `room.sendMessage('back')`)).toBe(2)
    expect(room.handshakes.every(({ roomId }) => roomId === 'room_ann')).toBe(true)
    await context.close()
  })
})
