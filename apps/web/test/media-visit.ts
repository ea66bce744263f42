import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach } from 'vitest'
import { createPersonWithBrowser, type Person } from './people.ts'
import { signIn } from './sign-in.ts'

export const desk = { width: 1_280, height: 860 }

/** Opens the page of videos. */
export async function openMedia(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/console/media`)
  await page.getByRole('heading', { name: 'Media', exact: true }).waitFor()
}

/**
 * A researcher who is signed in once for all stories of a file, and loads each page anew. Opening a browser's profile and
 * signing in takes three times the CPU of that.
 */
export function useResearcher(browser: () => Browser, address: () => string, { isAdmin = false } = {}) {
  let person: Promise<Person> | undefined
  const open = async () => {
    const opened = await createPersonWithBrowser(browser(), desk)
    await signIn(opened.page, address(), { isAdmin })
    return opened
  }
  afterEach(async () => {
    const page = (await person)?.page
    if (!page || page.url() === 'about:blank') return
    await page.unrouteAll()
    // What is remembered of uploads, but not who is signed in.
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage))
        if (key !== 'atrium.console.person') localStorage.removeItem(key)
    })
    // A page that is left asks for nothing during the next story.
    await page.goto('about:blank')
  })
  afterAll(async () => (await person)?.leave())
  return async (size = desk): Promise<Person> => {
    person ??= open()
    const { page, pageErrors } = await person
    pageErrors.length = 0
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: null })
    return await person
  }
}

export const card = (page: Page, name: string) => page.getByRole('article', { name })
