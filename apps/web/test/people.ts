import type { WrittenDefinition } from '@atrium/contract'
import { createApi, createResearcher, openBrowser, type World } from '@atrium/testkit'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

/** One real browser for each file; each person in it has a profile of their own. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())
  return () => {
    if (!browser) throw new Error('the browser opens in beforeAll')
    return browser
  }
}

export interface Person {
  page: Page
  context: BrowserContext
  /** Errors of the page that nobody would see. */
  pageErrors: string[]
  leave(): Promise<void>
}

export async function createPersonWithBrowser(
  browser: Browser,
  { width = 390, height = 844, locale = 'en-US' } = {},
): Promise<Person> {
  const context = await browser.newContext({ viewport: { width, height }, locale })
  // Shorter than the timeout of a test, so that the locator reports what was missing.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const pageErrors: string[] = []
  // Refused for the moment (503): the page tries again by itself, and a busy machine may let any request time out.
  const isForNow = (text: string) => /\b503\b/.test(text)
  page.on('pageerror', (error) => pageErrors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !isForNow(message.text())) pageErrors.push(message.text())
  })
  return { page, context, pageErrors, leave: () => context.close() }
}

/** For a button that may disappear by itself, even during the click: with the state that it ends, or as a video begins. */
export async function clickIfShown(button: Locator): Promise<void> {
  if (await button.isVisible()) await button.click({ timeout: 5_000 }).catch(() => undefined)
}

/** Opens a study that belongs to Ada, who signs in to the console by default, and starts recruiting. */
export async function openStudy(world: World, definition: WrittenDefinition) {
  const researcher = await createResearcher(
    createApi(() => world.any().http),
    ['researcher'],
    'console:ada',
  )
  const experimentId = await researcher.openExperiment(definition)
  return {
    experimentId,
    researcher,
    link: `${world.front().http}/join/${experimentId}`,
    exported: () => researcher.exported(experimentId),
  }
}
