import { openBrowser } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import {
  type BrowserWindow,
  isForNow,
  patienceMs,
  type TestBrowser,
  type WindowOptions,
} from './browser-window.ts'

/** With what only Playwright can do: emulate media, and look at accessibility. */
export interface ChromiumWindow extends BrowserWindow {
  readonly page: Page
}

interface ChromiumBrowser extends TestBrowser {
  openWindow(options?: WindowOptions): Promise<ChromiumWindow>
}

export async function openChromium(): Promise<ChromiumBrowser> {
  const browser = await openBrowser()
  return {
    async openWindow({ width = 390, height = 844, language = 'en' } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, locale: language })
      context.setDefaultTimeout(patienceMs)
      const page = await context.newPage()
      return {
        ...windowOf(page),
        page,
        setOffline: (isOffline) => context.setOffline(isOffline),
        close: () => context.close(),
      }
    },
    close: () => browser.close(),
  }
}

function windowOf(page: Page): Omit<BrowserWindow, 'setOffline' | 'close'> {
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isForNow(message.text())) errors.push(message.text())
  })
  const first = (css: string) => page.locator(css).first()
  return {
    errors,
    async open(address) {
      await page.goto(address)
    },
    async reload() {
      await page.reload()
    },
    untilShown: (css) => first(css).waitFor(),
    click: (css) => first(css).click(),
    clickButton: (name) => page.getByRole('button', { name, exact: true }).first().click(),
    focus: (css) => first(css).focus(),
    key: (name) => page.keyboard.press(name),
    type: (text) => page.keyboard.type(text),
    // The function runs in the page; Playwright's own type for its argument is stricter than what it accepts.
    read: (inPage, argument) => page.evaluate(inPage as never, argument as never),
  }
}
