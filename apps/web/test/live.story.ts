import { describeInOneMode } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { desk, expectGoodEverywhere, expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { pair } from './studies.ts'

const stream = '**/live/stream'

describeInOneMode(
  'the live view of a study',
  (world) => {
    const browser = useBrowser()

    test('a researcher sees people arrive, wait, talk and answer, steers a room, and nothing is reloaded', async () => {
      const address = world().front().http
      const study = await openStudy(world(), pair)
      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await signIn(page, address)
      await page.goto(`${address}/console/experiments/${study.experimentId}/rooms`)
      await page.getByText('Nobody has joined yet').waitFor()
      await page.getByText('Live', { exact: true }).waitFor()
      await expectGoodEverywhere(page, 'the live view before anybody has joined')
      // From here on everything must be pushed.
      let asked = 0
      page.on('request', (request) => {
        if (request.url().endsWith('/live')) asked += 1
      })
      await page.evaluate(() => Object.assign(window, { isSamePage: true }))

      const funnel = page.getByRole('list', { name: 'From arrival to completion' })
      const [first, second] = [
        await createPersonWithBrowser(browser()),
        await createPersonWithBrowser(browser()),
      ]
      await first.page.goto(study.link)
      const waiting = page.getByRole('list', { name: 'Waiting for a group' })
      await waiting.getByText('participant · for').waitFor()
      await page.getByText('Right now: 1 taking part, 1 of them waiting for a group.').waitFor()
      await second.page.goto(study.link)
      await page.getByRole('link', { name: 'Room 1 · Agree on a number' }).waitFor()
      await page.getByRole('img', { name: 'P2: here' }).waitFor()
      await waiting.waitFor({ state: 'detached' })
      await funnel.getByText('Got a room').waitFor()
      await first.page.getByLabel('Your message').fill('Shall we say seven?')
      await first.page.getByRole('button', { name: 'Send' }).click()
      const words = page.getByRole('list', { name: 'Chat and answers' })
      await words.getByText('“Shall we say seven?”').waitFor()
      await first.page.getByLabel('Your number').fill('7')
      await first.page.getByRole('button', { name: 'Submit' }).click()
      await words.getByText('number: 7').waitFor()
      await expectGoodEverywhere(page, 'the live view')
      await page.setViewportSize({ width: 360, height: 740 })
      await expectGoodPage(page, 'the live view at 360 px')
      await page.setViewportSize(desk)

      // With the keyboard alone: only this room’s words, then pause it.
      await page.getByRole('button', { name: 'More for Room 1' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: 'Show only its chat and answers' }).waitFor()
      // The focus follows a turn after the menu is shown; a key pressed before that would be lost.
      await page.locator('[role="menu"]:focus-within').waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Chat and answers in Room 1' }).waitFor()
      await page.getByRole('button', { name: 'All rooms' }).click()
      await page.getByRole('button', { name: 'More for Room 1' }).click()
      await page.getByRole('menuitem', { name: 'Pause' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
      await page.getByRole('link', { name: 'Room 1 · Agree on a number · paused' }).waitFor()
      await page.getByText('Stuck 0').click()
      await page.getByText('No room seems stuck.').waitFor()
      await page.getByText('All 1').click()
      expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
      // Once by the action, which asks for everything about the experiment again.
      expect(asked).toBeLessThanOrEqual(1)
      expect(researcher.pageErrors).toEqual([])

      // Signing out ends the stream.
      const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/live/stream'))
      await page.getByRole('button', { name: 'Ada' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await ended
      await Promise.all([first, second, researcher].map(({ leave }) => leave()))
    })

    test('where streams do not get through, the page asks again, and goes back once they do', async () => {
      const address = world().front().http
      const study = await openStudy(world(), pair)
      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await page.route(stream, (route) => route.abort())
      await signIn(page, address)
      await page.goto(`${address}/console/experiments/${study.experimentId}/rooms`)
      await page.getByText('Updated every few seconds').waitFor()
      const person = await createPersonWithBrowser(browser())
      await person.page.goto(study.link)
      await page.getByText('Right now: 1 taking part').waitFor()
      await page.unroute(stream)
      await page.getByText('Live', { exact: true }).waitFor()
      await person.page.close()
      await page.getByText('Nobody is waiting.').waitFor()
      await Promise.all([person, researcher].map(({ leave }) => leave()))
    })
  },
  { web: true },
)
