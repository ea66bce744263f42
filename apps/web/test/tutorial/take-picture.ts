import type { Locator, Page } from 'playwright-core'

/** Sharp enough to read, small enough for the repository. */
const quality = 68
const shownScale = 0.75

/** A WebP picture of the window, with a ring around what the step is about. */
export async function takePicture(page: Page, ringed: readonly Locator[] = []): Promise<Buffer> {
  const setRing = async (ring: string) => {
    for (const locator of ringed)
      await locator.evaluate((element, value) => {
        if (element instanceof HTMLElement || element instanceof SVGElement) element.style.outline = value
      }, ring)
  }
  await setRing('3px solid #d9480f')
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const devtools = await page.context().newCDPSession(page)
  try {
    const { x, y } = await page.evaluate(() => ({ x: scrollX, y: scrollY }))
    const { data } = await devtools.send('Page.captureScreenshot', {
      format: 'webp',
      quality,
      clip: { x, y, width, height, scale: shownScale },
    })
    return Buffer.from(data, 'base64')
  } finally {
    await devtools.detach()
    await setRing('')
  }
}
