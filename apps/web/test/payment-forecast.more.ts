import { experimentRoutes } from '@atrium/contract'
import { createApi, createResearcher, describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { launch } from '../src/text/en/console-launch.ts'
import { example } from './example.ts'
import { desk, expectGoodEverywhere, expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const words = launch.launch.forecast

describeInOneMode('the forecast of payments in the console', (world) => {
  const browser = useBrowser()

  test('[R64] before people come, a researcher estimates what the study will cost, by keyboard and on a phone', async () => {
    const api = createApi(() => world().any().http)
    const { token } = await createResearcher(api, ['researcher'], 'console:ada')
    const { experimentId } = succeeded(
      await api.call(experimentRoutes.create, { token, body: example('one-random-round') }),
    )
    const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), desk)
    await signIn(page, world().front().http)
    await page.goto(`${world().front().http}/console/experiments/${experimentId}/overview`)
    const panel = page.getByRole('region', { name: words.title })
    await panel.getByText(words.intro).waitFor()
    const people = panel.getByLabel(words.people)
    await people.fill('')
    await people.press('Enter')
    await panel.getByText(words.peopleBetween(1_000_000)).waitFor()
    await people.fill('80')
    await people.press('Enter')
    await panel.getByText(words.basis(200)).waitFor()
    await panel.getByText(words.forPeople(80)).waitFor()
    await expectGoodEverywhere(page, 'the forecast of payments')

    await page.route('**/payment-forecast', (route) => route.abort())
    await page.setViewportSize({ width: 360, height: 740 })
    await panel.getByRole('button', { name: words.run }).click()
    await panel.getByText(words.failed).waitFor()
    await expectGoodPage(page, 'a forecast that failed, on a narrow phone')
    await page.unroute('**/payment-forecast')
    await panel.getByRole('button', { name: 'Try again' }).click()
    await panel.getByText(words.basis(200)).waitFor()
    expect(await panel.getByText(words.failed).count()).toBe(0)
    await expectGoodPage(page, 'the forecast on a narrow phone')
    // Of the request that was cut.
    expect(pageErrors).toEqual(['Failed to load resource: net::ERR_FAILED'])
    await leave()
  })
})
