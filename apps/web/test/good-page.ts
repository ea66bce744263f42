import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Nothing overflows the screen, and axe finds no violations. */
export async function expectGoodPage(page: Page, where = page.url()): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, `${where} is wider than the screen`).toBeLessThanOrEqual(0)
  // The content security policy blocks scripts from outside, but not those of the browser’s own tools.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }))
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, where).toEqual([])
}
