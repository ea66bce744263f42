import type { Browser, Page } from 'playwright-core'
import { untilStill } from '../good-page.ts'

/** A screenshot of each form, and how wide it is on the sheet. */
export const forms = [
  { name: 'phone, light', width: 360, height: 780, colorScheme: 'light', shownWidth: 240 },
  { name: 'phone, dark', width: 360, height: 780, colorScheme: 'dark', shownWidth: 240 },
  { name: 'desktop, light', width: 1_280, height: 800, colorScheme: 'light', shownWidth: 560 },
  { name: 'desktop, dark', width: 1_280, height: 800, colorScheme: 'dark', shownWidth: 560 },
] as const

export type Form = (typeof forms)[number]

/** Small enough that the whole gallery stays in the repository. */
const quality = 62

export async function takeForm(page: Page, { width, height, colorScheme }: Form): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.evaluate(() => scrollTo({ top: 0 }))
  // The page hears of other colours a frame later, and then fades to them.
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  )
  await untilStill(page)
}

/** One WebP picture with all forms of a page side by side. */
export async function takeSheet(browser: Browser, page: Page): Promise<Buffer> {
  const figures: string[] = []
  for (const form of forms) {
    await takeForm(page, form)
    const png = (await page.screenshot({ animations: 'disabled' })).toString('base64')
    figures.push(`<img width="${form.shownWidth}" alt="" src="data:image/png;base64,${png}">`)
  }
  const sheet = await browser.newPage({ viewport: { width: 1_640, height: 520 } })
  try {
    await sheet.setContent(
      `<body style="margin:0;padding:8px;display:inline-flex;gap:8px;align-items:start;background:#8a8a8a">${figures.join('')}</body>`,
      { waitUntil: 'load' },
    )
    const { width, height } = (await sheet.locator('body').boundingBox()) ?? { width: 0, height: 0 }
    const devtools = await sheet.context().newCDPSession(sheet)
    const { data } = await devtools.send('Page.captureScreenshot', {
      format: 'webp',
      quality,
      clip: { x: 0, y: 0, width, height, scale: 1 },
      captureBeyondViewport: true,
    })
    return Buffer.from(data, 'base64')
  } finally {
    await sheet.close()
  }
}
