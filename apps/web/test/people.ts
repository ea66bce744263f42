import type { ExperimentDefinition } from '@atrium/contract'
import { createApi, createResearcher, openBrowser, type World } from '@atrium/testkit'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

/** One real browser for the file; everyone in it is a person with a profile of their own. */
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
  /** What went wrong in the page that no one would see. */
  mishaps: string[]
  leave(): Promise<void>
}

export async function createPersonWithBrowser(
  browser: Browser,
  { width = 390, height = 844 } = {},
): Promise<Person> {
  const context = await browser.newContext({ viewport: { width, height } })
  // Below the time-out of a test, so that it is the locator that says what was not there.
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const mishaps: string[] = []
  page.on('pageerror', (error) => mishaps.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') mishaps.push(message.text())
  })
  return { page, context, mishaps, leave: () => context.close() }
}

/** A study of Ada’s, who signs in to the console by default; it recruits. With where its participants go. */
export async function openStudy(world: World, definition: ExperimentDefinition) {
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
