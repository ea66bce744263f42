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
  await untilStill(page)
  // The content security policy blocks scripts from outside, but not those of the browser’s own tools.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => window.axe.run(document, { iframes: false }))
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, where).toEqual([])
}

/** What fades in has too little contrast until it is there. Spinners turn for ever, and nobody waits for them. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)))
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
}
