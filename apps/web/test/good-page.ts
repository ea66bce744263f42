import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** Nothing sticks out of the screen, and axe finds nothing to complain of. */
export async function expectGoodPage(page: Page, where = page.url()): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, `${where} is wider than the screen`).toBeLessThanOrEqual(0)
  // The policy of the page lets no script in from outside; the browser’s own tools may.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }))
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, where).toEqual([])
}
