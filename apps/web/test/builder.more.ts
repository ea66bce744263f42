import { experimentRoutes } from '@atrium/contract'
import { createApi, createResearcher, describeInOneMode, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { beginStudy, codeOf, outlineOf, writeDefinition } from './builder.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

describeInOneMode(
  'the builder',
  (world) => {
    const browser = useBrowser()

    test('a newcomer builds a study for two from an empty page, with the mouse alone', async () => {
      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await signIn(page, world().front().http)
      await page.getByRole('link', { name: 'New study' }).first().click()
      await page.getByRole('radio', { name: /^Blank/ }).click()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      const outline = outlineOf(page)
      await outline.waitFor()

      for (const kind of [/^Text/, /^Multiple choice/]) {
        await page.getByRole('button', { name: 'Add a component' }).click()
        await page.getByRole('dialog').getByRole('button', { name: kind }).first().click()
      }
      await page.getByText('Which of these is the capital of Australia?').first().waitFor()
      await outline.getByRole('button', { name: 'Groups' }).click()
      await page.getByRole('button', { name: '+ Matching' }).click()
      await page.getByLabel('People per room').waitFor()
      await page.locator('[data-at="/matching/groupSize"] button[data-direction="up"]').click()

      // A state that ends with a video which it does not show.
      await outline.getByRole('button', { name: 's1' }).first().click()
      await page.getByLabel('End', { exact: true }).selectOption({ label: 'media ended' })
      await outline.getByRole('button', { name: 'Basics' }).click()
      await page.getByText('to fix before you can publish').first().waitFor()
      expect(await page.getByRole('button', { name: 'Publish', exact: true }).isEnabled()).toBe(false)
      await outline.getByRole('img', { name: '1 problem to fix before you can publish' }).waitFor()
      await page.getByRole('button', { name: /^Go there/ }).click()
      const field = page.getByRole('combobox', { name: /^Component id/ })
      await waitUntil(
        async () =>
          (await field.evaluate((input) => input === document.activeElement)) || 'not in the field yet',
      )
      await page.getByLabel('End', { exact: true }).selectOption({ label: 'button' })
      await page.getByText('No problems found').waitFor()
      await page.getByText('Draft saved').waitFor()

      await expectGoodEverywhere(page, 'the builder')
      await page.getByText('Flow', { exact: true }).click()
      await page.getByRole('region', { name: 'Flow of the study' }).waitFor()
      await expectGoodEverywhere(page, 'the flow of a study')
      // All views edit the same document, and one undo spans them.
      await page.getByText('Code', { exact: true }).click()
      await codeOf(page).getByText('"multiple_choice"').first().waitFor()
      await expectGoodEverywhere(page, 'the code of a study')
      await page.getByRole('button', { name: 'Undo' }).click()
      await codeOf(page).getByText('"media_ended"').waitFor()
      await page.getByRole('button', { name: 'Redo' }).click()
      await codeOf(page).getByText('"media_ended"').waitFor({ state: 'detached' })

      await page.getByRole('button', { name: 'Publish', exact: true }).click()
      await page.getByText('Published as revision 2').waitFor()
      await page.getByText('Revision 2, as published.').waitFor()
      const [, experimentId = ''] = /experiments\/([^/]+)/.exec(page.url()) ?? []
      const api = createApi(() => world().any().http)
      const { token } = await createResearcher(api, ['researcher'], 'console:ada')
      const { definition } = succeeded(
        await api.call(experimentRoutes.read, { token, params: { experimentId } }),
      )
      expect(definition).toMatchObject({
        matching: { groupSize: 2 },
        states: [{ components: [{ type: 'text' }, { type: 'multiple_choice' }], end: { on: 'button' } }],
      })
      expect(researcher.pageErrors).toEqual([])
      await researcher.leave()
    })

    test('[F58] a setting is taken from a value, checked where it stands, and fixed again', async () => {
      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await signIn(page, world().front().http)
      await beginStudy(page, 'Endowments')
      await writeDefinition(page, {
        name: 'Endowments',
        variables: { endowment: 12 },
        states: [{ id: 's1', components: [{ id: 'give', type: 'slider', max: 20 }] }],
      })
      await page.getByText('Build', { exact: true }).click()
      await outlineOf(page).getByRole('button', { name: 's1' }).first().click()
      await page
        .getByRole('button', { name: /^Slider/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Highest value: from a value' }).click()
      const field = page.locator('[data-at="/states/0/components/0/max/from"] input')
      expect(await field.inputValue()).toBe('20')
      await field.fill('endowmet / 2')
      await page.getByText('did you mean ‘endowment’?').first().waitFor()
      await field.fill('endowment / 2')
      await page.getByText('No problems found').waitFor()
      // Closes the suggestions.
      await field.press('Tab')
      await expectGoodEverywhere(page, 'a setting from a value')
      await page.getByText('Code', { exact: true }).click()
      await codeOf(page).getByText('"endowment / 2"').waitFor()
      await page.getByText('Build', { exact: true }).click()
      await page
        .getByRole('button', { name: /^Slider/ })
        .first()
        .click()
      await page.getByRole('button', { name: 'Highest value: fixed' }).click()
      await page.locator('[data-at="/states/0/components/0/max"]').first().waitFor()
      expect(researcher.pageErrors).toEqual([])
      await researcher.leave()
    })
  },
  { mode: 'cluster', router: true, web: true },
)
