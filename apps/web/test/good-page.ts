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
  await untilStill(page)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow, `${where} is wider than the screen`).toBeLessThanOrEqual(0)
  // The content security policy blocks scripts from outside, but not those of the browser’s own tools.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => {
    // Behind a dialog everything is darkened and cannot be used; axe takes it for text of too little contrast.
    const dialog = document.querySelector('[aria-modal="true"]')
    // Everything is checked, but only violations are described.
    return window.axe.run(dialog ?? document, {
      iframes: false,
      resultTypes: ['violations'],
      selectors: false,
    })
  })
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  expect(found, where).toEqual([])
}

export const desk = { width: 1_280, height: 860 }
export const phone = { width: 390, height: 844 }

/** In both widths and colours. Leaves the page on a desk, in light colours. */
export async function expectGoodEverywhere(page: Page, where: string): Promise<void> {
  await expectGoodPage(page, where)
  await page.setViewportSize(phone)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectGoodPage(page, `${where}, dark and on a phone`)
  await page.setViewportSize(desk)
  await page.emulateMedia({ colorScheme: 'light' })
}

/**
 * What fades or slides in has too little contrast, or is in the wrong place, until it is there; what follows from another
 * width or other colours begins in the frames after it. Spinners turn for ever, and nobody waits for them.
 */
export async function untilStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && Number.isFinite(Number(effect?.getComputedTiming().endTime)),
        )
    do {
      await Promise.allSettled(moving().map(({ finished }) => finished))
      await frame()
      await frame()
    } while (moving().length > 0)
  })
}
