import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, test } from 'vitest'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { pair } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

/** What to wait for on each tab: a page that is still loading cannot be judged. */
const tabs = {
  overview: 'Links for participants',
  definition: 'What it shows',
  rooms: 'Which rooms',
  matching: 'Dry run',
  data: 'Completion over time',
  sharing: 'Share with',
}

const desk = { width: 1_280, height: 860 }
const phone = { width: 360, height: 740 }

test('every page of the console is accessible and fits on a desk and on a phone', async () => {
  const study = await openStudy(world, pair)
  const { page, leave } = await createPersonWithBrowser(browser(), desk)
  const address = world.front().http
  const expectGoodOnBoth = async (where: string) => {
    await expectGoodPage(page, `${where} on a desk`)
    await page.setViewportSize(phone)
    await expectGoodPage(page, `${where} on a phone`)
    await page.setViewportSize(desk)
  }
  await page.goto(`${address}/console`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await expectGoodOnBoth('sign-in')
  await signIn(page, address)
  await expectGoodOnBoth('experiments')
  const look = async (path: string, sign: string) => {
    await page.goto(`${address}/console/${path}`)
    await page.getByText(sign).or(page.getByLabel(sign)).first().waitFor()
    await expectGoodOnBoth(path)
  }
  await look('new', 'Start from')
  for (const [tab, sign] of Object.entries(tabs)) await look(`experiments/${study.experimentId}/${tab}`, sign)
  await look('media', 'Upload files')
  await look('system', 'Instances')
  await look('nowhere', 'Page not found')
  await look('experiments/exp_nowhere', 'Study not found')
  // An example, which everyone can only view.
  for (const tab of ['overview', 'definition']) await look(`experiments/quick-survey/${tab}`, 'View only')
  await leave()
})
