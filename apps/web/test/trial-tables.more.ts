import { experimentRoutes, tableRoutes } from '@atrium/contract'
import { createApi, createResearcher, describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { beginStudy, outlineOf, publish, writeDefinition } from './builder.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

describeInOneMode(
  'tables of trials in the builder',
  (world) => {
    const browser = useBrowser()

    test('[R66] rows are pasted from a spreadsheet or read from a file, and a block plays them', async () => {
      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await signIn(page, world().front().http)
      await beginStudy(page, 'Words')
      await writeDefinition(page, {
        name: 'Words',
        states: [{ id: 's1', instructions: '{{trial.word}}', components: [] }],
        blocks: [{ id: 'main', states: ['s1'] }],
      })
      await page.getByText('Build', { exact: true }).click()
      const outline = outlineOf(page)
      await outline.getByRole('button', { name: 'Tables of trials' }).click()
      await page.getByRole('button', { name: '+ Tables' }).click()
      await page.getByRole('button', { name: 'Add to tables' }).click()
      await page.getByRole('button', { name: 'Paste from a spreadsheet' }).click()
      const rows = page.getByLabel('Rows', { exact: true })
      await rows.fill('word\tlength\nred\t3\nblue\n')
      await page.getByRole('button', { name: 'Use these rows' }).click()
      await page.getByText('Line 3: the row has 1 cell, but there are 2 columns.').waitFor()
      await rows.fill('word\tlength\nred\t3\n"blue, dark"\t4\n')
      await page.getByRole('button', { name: 'Use these rows' }).click()
      await page.getByText('2 rows, 2 columns').waitFor()
      await page.getByRole('button', { name: 'Edit the rows' }).click()
      expect(await rows.inputValue()).toBe('word\tlength\nred\t3\n"blue, dark"\t4\n')
      await page.getByRole('button', { name: 'Cancel' }).click()

      await expectGoodEverywhere(page, 'a table of trials')

      await outline.getByRole('button', { name: 'Conditions and blocks' }).click()
      const unfold = async (at: string) => {
        const title = page.locator(`[data-at="${at}"] > div > .builder-fold-title`)
        if ((await title.getAttribute('aria-expanded')) === 'false') await title.click()
      }
      await unfold('/blocks')
      await unfold('/blocks/0')
      await page.getByRole('button', { name: '+ Trials' }).click()
      await page.locator('[data-at="/blocks/0/trials/table"] input').fill('name')
      await page.getByText('No problems found').waitFor()

      // More rows than a draft should carry become an upload.
      await outline.getByRole('button', { name: 'Tables of trials' }).click()
      await unfold('/tables/name')
      const lines = Array.from({ length: 600 }, (_, at) => `word${at},${at}\n`)
      const buffer = Buffer.from(`word,length\n${lines.join('')}`)
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('button', { name: 'Open a CSV file' }).click(),
      ])
      await chooser.setFiles({ name: 'many.csv', mimeType: 'text/csv', buffer })
      await page.getByText('Uploaded as many.csv: 600 rows with word, length').waitFor()
      await page.getByText('No problems found').waitFor()
      await publish(page)
      await page.getByText('Published as revision 2').waitFor()

      const [, experimentId = ''] = /experiments\/([^/]+)/.exec(page.url()) ?? []
      const api = createApi(() => world().any().http)
      const { token } = await createResearcher(api, ['researcher'], 'console:ada')
      const { tables } = succeeded(await api.call(tableRoutes.list, { token }))
      expect(tables).toMatchObject([{ name: 'many.csv', rows: 600 }])
      const { definition } = succeeded(
        await api.call(experimentRoutes.read, { token, params: { experimentId } }),
      )
      expect(definition).toMatchObject({
        tables: { name: { tableId: tables[0]?.tableId } },
        blocks: [{ id: 'main', states: ['s1'], trials: { table: 'name' } }],
      })
      expect(researcher.pageErrors).toEqual([])
      await researcher.leave()
    })
  },
  { mode: 'cluster', router: true, web: true },
)
