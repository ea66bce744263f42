import { describeInOneMode } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { pair } from './studies.ts'

describeInOneMode(
  'the replay of a room',
  (world) => {
    const browser = useBrowser()

    test('a researcher steps through what happened, sees what somebody saw, and shares the moment', async () => {
      const address = world().front().http
      const study = await openStudy(world(), pair)
      const people = [await createPersonWithBrowser(browser()), await createPersonWithBrowser(browser())]
      for (const { page } of people) await page.goto(study.link)
      for (const { page } of people) await page.getByRole('heading', { name: 'Agree on a number' }).waitFor()
      const [first, second] = people
      if (!first || !second) throw new Error('two people take part')
      await first.page.getByLabel('Your message').fill('Shall we say seven?')
      await first.page.getByRole('button', { name: 'Send' }).click()
      await second.page.getByText('Shall we say seven?').waitFor()
      for (const { page } of people) {
        await page.getByLabel('Your number').fill('7')
        await page.getByRole('button', { name: 'Submit' }).click()
      }
      for (const { page } of people) await page.getByRole('heading', { name: 'Thank you' }).waitFor()

      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await signIn(page, address)
      await page.goto(`${address}/console/experiments/${study.experimentId}/rooms`)
      await page.getByRole('link', { name: 'Room 1 · Thank you' }).waitFor()
      await page.getByRole('img', { name: 'P2: here' }).waitFor()
      await expectGoodEverywhere(page, 'the rooms of a study, live')
      await page
        .getByRole('link', { name: /^room_/ })
        .first()
        .click()
      await page.getByRole('link', { name: 'Replay' }).click()
      const slider = page.getByRole('slider', { name: 'Moment' })
      await slider.waitFor()
      const now = () => slider.getAttribute('aria-valuetext')
      expect(await now()).toContain('The room opened')

      // By keyboard, by the list, and by itself.
      await slider.focus()
      await page.keyboard.press('End')
      expect(await now()).toMatch(/answered number: 7$/)
      await page.getByRole('button', { name: /wrote: “Shall we say seven\?”/ }).click()
      await page.getByText('Agree on a number').first().waitFor()
      await page.getByText('no answer yet').nth(1).waitFor()
      await expectGoodEverywhere(page, 'the replay from above')

      // The same page that they had, which nobody can use.
      await page.getByLabel('Seen').selectOption({ label: 'as P2 (participant)' })
      const seen = page.frameLocator('iframe')
      await seen.getByText('Shall we say seven?').waitFor()
      await seen.getByText('Agree on a number').waitFor()
      // The address follows after a moment; from now on it also says who sees it.
      await page.waitForURL(/replay\?at=\d+&as=part_/)
      const link = page.url()
      expect(await seen.locator('[inert]').count()).toBe(1)
      await expectGoodEverywhere(page, 'the replay as a participant')
      await page.getByRole('button', { name: 'Previous moment' }).click()
      await seen.getByText('Shall we say seven?').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Next moment' }).click()
      await seen.getByText('Shall we say seven?').waitFor()

      await page.getByText('20×').click()
      await page.getByRole('button', { name: 'Play' }).click()
      await seen.getByText('Thank you').waitFor()

      // Whoever has the link, and access, is at the same moment.
      await page.goto(link)
      await seen.getByText('Shall we say seven?').waitFor()
      expect(await now()).toContain('Shall we say seven?')
      expect(researcher.pageErrors).toEqual([])

      // Others are not told that there is such a room.
      const stranger = await createPersonWithBrowser(browser(), desk)
      await signIn(stranger.page, address, { name: 'Ben' })
      await stranger.page.goto(link)
      await stranger.page.getByRole('heading', { name: 'Room not found' }).waitFor()

      // Nothing of this has reached the room: both can go on.
      for (const { page } of people) await page.getByRole('button', { name: 'Continue' }).click()
      for (const { page } of people) await page.getByText('PAIR').waitFor()
      await Promise.all([...people, researcher, stranger].map(({ leave }) => leave()))
    })
  },
  { web: true },
)
