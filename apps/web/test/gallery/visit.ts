import type { ExperimentDefinition } from '@atrium/contract'
import type { World } from '@atrium/testkit'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openStudy } from '../people.ts'
import { signIn } from '../sign-in.ts'

/** The people of one scene, who leave together when it is over. */
export function createVisit(world: World, browser: Browser) {
  const contexts: BrowserContext[] = []
  return {
    address: world.front().http,
    openStudy: (definition: ExperimentDefinition) => openStudy(world, definition),
    /** Somebody with a browser profile of their own, at this address. */
    async someoneAt(address: string): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 360, height: 780 }, locale: 'en' })
      context.setDefaultTimeout(30_000)
      contexts.push(context)
      const page = await context.newPage()
      await page.goto(address)
      return page
    },
    /** A researcher who is signed in to the console, at this path of it. */
    async researcherAt(path: string, who: { name?: string; isAdmin?: boolean } = {}): Promise<Page> {
      const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, locale: 'en' })
      context.setDefaultTimeout(30_000)
      contexts.push(context)
      const page = await context.newPage()
      await signIn(page, world.front().http, who)
      if (path !== '') await page.goto(`${world.front().http}/console/${path}`)
      return page
    },
    async leave(): Promise<void> {
      for (const context of contexts.splice(0)) await context.close()
    },
  }
}

export type Visit = ReturnType<typeof createVisit>

/** What somebody sees at one moment. `reach` leads there. */
export interface Scene {
  /** Also the name of the file. */
  name: string
  title: string
  reach(visit: Visit): Promise<Page>
}
