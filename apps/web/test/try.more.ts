import { experimentRoutes, tryRoutes } from '@atrium/contract'
import { createApi, createResearcher, describeInOneMode, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { example } from './example.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

describeInOneMode(
  'Try it',
  (world) => {
    const browser = useBrowser()
    const api = createApi(() => world().any().http)

    async function draft(name: string) {
      const { token } = await createResearcher(api, ['researcher'], 'console:ada')
      const { experimentId } = succeeded(
        await api.call(experimentRoutes.create, { token, body: example(name) }),
      )
      const as = { token, params: { experimentId } }
      return {
        experimentId,
        tries: async () => succeeded(await api.call(tryRoutes.list, as)).tries.length,
        monitor: async () => succeeded(await api.call(experimentRoutes.monitor, as)),
      }
    }

    test('[TR4] a researcher plays both roles in two panes, jumps ahead, and sends a colleague the link', async () => {
      const study = await draft('negotiation')
      const ada = await createPersonWithBrowser(browser(), desk)
      const { page } = ada
      await signIn(page, world().front().http)
      await page.goto(`${world().front().http}/console/experiments/${study.experimentId}/definition`)
      await page.getByRole('button', { name: 'Try it' }).click()

      const buyer = page.frameLocator('iframe[title="Page of Buyer"]')
      const seller = page.frameLocator('iframe[title="Page of Seller"]')
      await buyer.getByText('You are the buyer.').waitFor()
      await seller.getByText('You are the seller.').waitFor()
      for (const pane of [buyer, seller])
        await pane.getByRole('button', { name: 'I am ready to talk' }).click()
      const words = buyer.getByRole('textbox')
      await words.fill('Would 100 do?')
      await words.press('Enter')
      await seller.getByText('Would 100 do?').waitFor()
      // What is typed in one pane stays there, also after a reload of the other.
      await words.fill('Not sent yet')
      await seller.locator('body').evaluate(() => location.reload())
      await seller.getByText('Would 100 do?').waitFor()
      expect(await seller.getByRole('textbox').inputValue()).toBe('')
      await expectGoodEverywhere(page, 'a try')

      await page.getByLabel('Begin with').selectOption({ label: 'The price' })
      await page.getByLabel('Agents take the other seats').check()
      await page.getByLabel('Speed').selectOption({ label: '20 times as fast' })
      await buyer.getByText('The price we agreed on').waitFor()
      await seller.getByText('The price we agreed on').waitFor()
      await waitUntil(async () => (await study.tries()) === 1 || 'former tries are still there')

      await page.getByLabel('Agents take the other seats').uncheck()
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByRole('button', { name: 'Copy link for a colleague' }).click()
      const link = await page.evaluate(() => navigator.clipboard.readText())
      const colleague = await createPersonWithBrowser(browser())
      await colleague.page.goto(link)
      await colleague.page.getByText('You are trying out a study.').waitFor()

      await page.getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Try it' }).waitFor()
      // Somebody has the link, so that it stays; nothing of it is in the study.
      expect(await study.tries()).toBe(1)
      expect((await study.monitor()).participants.total).toBe(0)
      expect(ada.pageErrors).toEqual([])
      await colleague.leave()
      await ada.leave()
    })

    test('[TR5] a study for one person has one pane, and is deleted when the researcher closes it', async () => {
      const study = await draft('quick-survey')
      const ada = await createPersonWithBrowser(browser(), desk)
      const { page } = ada
      await signIn(page, world().front().http)
      await page.goto(`${world().front().http}/console/experiments/${study.experimentId}/definition`)
      await page.getByRole('button', { name: 'Try it' }).click()
      await page.getByRole('dialog').frameLocator('iframe').getByRole('heading').first().waitFor()
      expect(await page.getByRole('dialog').locator('iframe').count()).toBe(1)
      expect(await page.getByLabel('Agents take the other seats').count()).toBe(0)
      expect(await study.tries()).toBe(1)
      await page.getByRole('button', { name: 'Close' }).click()
      await waitUntil(async () => (await study.tries()) === 0 || 'the try is still there')
      expect(ada.pageErrors).toEqual([])
      await ada.leave()
    })
  },
  { router: true, web: true },
)
