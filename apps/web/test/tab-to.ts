import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const maxStops = 30

/** Goes from control to control, as somebody without a mouse does, until it is the one; each must show that it has the focus. */
export async function tabTo(page: Page, css: string): Promise<void> {
  await page.locator(css).filter({ visible: true }).first().waitFor()
  for (let stop = 0; stop < maxStops; stop++) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate((wanted) => {
      const element = document.activeElement
      if (!element || element === document.body) return { isThere: false, isShown: true, name: 'the page' }
      // The ring may be around the label that holds the control.
      const shown = [element, element.parentElement, element.nextElementSibling].some((one) => {
        if (!one) return false
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
      })
      return { isThere: element.matches(wanted), isShown: shown, name: element.outerHTML.slice(0, 120) }
    }, css)
    expect(at.isShown, `the focus on ${at.name} is invisible`).toBe(true)
    if (at.isThere) return
  }
  throw new Error(`no ${css} within ${maxStops} stops`)
}
