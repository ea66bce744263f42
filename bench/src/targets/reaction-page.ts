import { openBrowser, openFirefox } from '@atrium/testkit'

export const reactionBrowsers = ['Chromium', 'Firefox'] as const

export type KeySource = 'input' | 'script'

/** When the key went down, and how exactly that is known. */
interface Press {
  atMs: number
  withinMs: number
}

/** A page with a block of reaction trials, in either browser. Times are those of the page's clock, `performance.now`. */
export interface ReactionPage {
  start(isBusy: boolean): Promise<void>
  untilShown(trial: number): Promise<void>
  press(key: string, from: KeySource): Promise<Press>
  untilSent(): Promise<void>
  /** When the frame with each stimulus had been rendered, as seen by a script beside ours. */
  painted(): Promise<number[]>
  close(): Promise<void>
}

/** What both drivers can do. */
interface Driver {
  evaluate<Result>(script: string): Promise<Result>
  click(selector: string): Promise<void>
  waitFor(selector: string): Promise<void>
  press(key: string, clock: PageClock): Promise<Press>
  close(): Promise<void>
}

export async function openReactionPage(
  browser: (typeof reactionBrowsers)[number],
  link: string,
): Promise<ReactionPage> {
  const driver = await (browser === 'Chromium' ? openInChromium(link) : openInFirefox(link))
  await driver.waitFor('.reaction-start button')
  const clock = await readPageClock(driver)
  return {
    async start(isBusy) {
      await driver.evaluate(watching)
      if (isBusy) await driver.evaluate(keepingBusy)
      await driver.click('.reaction-start button')
    },
    untilShown: (trial) => driver.evaluate(`window.whenShown(${trial})`),
    press: (key, from) => (from === 'input' ? driver.press(key, clock) : driver.evaluate(dispatchOf(key))),
    untilSent: () => driver.waitFor('.way-on'),
    painted: () => driver.evaluate('window.paintedAtMs'),
    close: () => driver.close(),
  }
}

/** A message that is posted while a frame is prepared arrives once that frame has been rendered. */
const watching = `(() => {
  window.paintedAtMs = []
  const waiting = new Map()
  window.whenShown = (trial) => new Promise((resolve) => {
    if (window.paintedAtMs.length > trial) resolve(); else waiting.set(trial, resolve)
  })
  new MutationObserver((changes) => {
    const isShown = changes.some(({ addedNodes }) => [...addedNodes].some((node) => node.classList?.contains('reaction-stimulus')))
    if (!isShown) return
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      const trial = window.paintedAtMs.push(performance.now()) - 1
      waiting.get(trial)?.()
    }
    port2.postMessage(null)
  }).observe(document.querySelector('.reaction-stage'), { childList: true, subtree: true })
})()`

const dispatchOf = (key: string): string => `(() => {
  const atMs = performance.now()
  window.dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', bubbles: true }))
  return { atMs, withinMs: 0 }
})()`

const keepingBusy = `(() => {
  setInterval(() => { const until = performance.now() + 25; while (performance.now() < until); }, 50)
})()`

/** The page's clock as seen from here: both count from the same epoch, but not exactly. */
interface PageClock {
  /** When the page's clock was 0, in milliseconds since the epoch by the clock of this process. */
  zeroMs: number
  originMs: number
}

const nowMs = (): number => performance.timeOrigin + performance.now()

/** The quickest of many exchanges knows best. */
async function readPageClock(driver: Driver): Promise<PageClock> {
  const originMs = await driver.evaluate<number>('performance.timeOrigin')
  let best = { roundTripMs: Number.POSITIVE_INFINITY, zeroMs: 0 }
  for (let exchange = 0; exchange < 60; exchange++) {
    const sentMs = nowMs()
    const pageMs = await driver.evaluate<number>('performance.now()')
    const roundTripMs = nowMs() - sentMs
    if (roundTripMs < best.roundTripMs) best = { roundTripMs, zeroMs: sentMs + roundTripMs / 2 - pageMs }
  }
  return { zeroMs: best.zeroMs, originMs }
}

async function openInChromium(link: string): Promise<Driver> {
  const browser = await openBrowser()
  const page = await browser.newPage()
  await page.goto(link)
  const devTools = await page.context().newCDPSession(page)
  return {
    evaluate: (script) => page.evaluate(script),
    click: (selector) => page.click(selector),
    waitFor: async (selector) => void (await page.waitForSelector(selector)),
    async press(key, { zeroMs, originMs }) {
      const atMs = nowMs() - zeroMs
      const event = { key, code: `Key${key.toUpperCase()}`, timestamp: (originMs + atMs) / 1_000 }
      await devTools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...event })
      await devTools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
      return { atMs, withinMs: 0 }
    },
    close: () => browser.close(),
  }
}

async function openInFirefox(link: string): Promise<Driver> {
  const browser = await openFirefox()
  const page = await browser.newPage()
  await page.goto(link)
  return {
    evaluate: async <Result>(script: string) => (await page.evaluate(script)) as Result,
    click: (selector) => page.click(selector),
    waitFor: async (selector) => void (await page.waitForSelector(selector)),
    async press(key, { zeroMs }) {
      const sentMs = nowMs()
      await page.keyboard.down(key as 'f')
      const withinMs = (nowMs() - sentMs) / 2
      await page.keyboard.up(key as 'f')
      return { atMs: sentMs + withinMs - zeroMs, withinMs }
    },
    close: () => browser.close(),
  }
}
