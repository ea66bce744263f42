import { openFirefox as launchFirefox } from '@atrium/testkit'
import type { Page } from 'puppeteer-core'
import { type BrowserWindow, isForNow, patienceMs, type TestBrowser } from './browser-window.ts'

export async function openFirefox(): Promise<TestBrowser> {
  const browser = await launchFirefox()
  return {
    async openWindow({ width = 390, height = 844 } = {}) {
      const context = await browser.createBrowserContext()
      // In a tab behind another one, Firefox paints nothing and slows down timers.
      const page = await context.newPage({ type: 'window' })
      await page.setViewport({ width, height })
      page.setDefaultTimeout(patienceMs)
      return { ...windowOf(page), close: () => context.close() }
    },
    close: () => browser.close(),
  }
}

function windowOf(page: Page): Omit<BrowserWindow, 'close'> {
  const errors: string[] = []
  const note = (error: string): void => {
    if (!isForNow(error)) errors.push(error)
  }
  // Firefox reports failed connections as errors of the page.
  page.on('pageerror', (error) => note(error instanceof Error ? error.message : String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error') note(message.text())
  })
  return {
    errors,
    async open(address) {
      await page.goto(address)
    },
    async reload() {
      await page.reload()
    },
    async untilShown(css) {
      await page.waitForSelector(css, { visible: true })
    },
    click: (css) => page.locator(css).click(),
    clickButton: (name) => page.locator(`aria/${name}[role="button"]`).click(),
    async focus(css) {
      await page.waitForSelector(css, { visible: true })
      await page.focus(css)
    },
    key: (name) => page.keyboard.press(name),
    type: (text) => page.keyboard.type(text),
    read: (inPage, argument) => page.evaluate(inPage as never, argument) as never,
    setOffline: (isOffline) => page.setOfflineMode(isOffline),
  }
}
