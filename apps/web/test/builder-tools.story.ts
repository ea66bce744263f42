import { readFile } from 'node:fs/promises'
import { createTemporaryFolder, describeInOneMode, makeTinyVideo, waitUntil } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { beginStudy, codeOf, outlineOf } from './builder.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { clickIfShown, createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const statesIn = (page: Page) => outlineOf(page).getByRole('listitem').allInnerTexts()
const orderIs = (page: Page, names: string[]) =>
  waitUntil(async () => {
    const order = (await statesIn(page)).map((text) => text.split('\n')[0]?.replace(/^\d+\s+/, ''))
    return order.join() === names.join() || `the order is ${order.join()}`
  })

describeInOneMode(
  'tools of the builder',
  (world) => {
    const browser = useBrowser()

    test('states are dragged, seen by each role, exported and imported; the code completes itself', async () => {
      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await signIn(page, world().front().http)
      await page.getByRole('link', { name: 'New study' }).first().click()
      await page.getByRole('radio', { name: /^Negotiation\b(?! with)/ }).click()
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await orderIs(page, ['Your side', 'Talk', 'The price', 'Result'])

      // By the mouse: the last one before the second.
      const row = (name: string) => outlineOf(page).getByRole('listitem').filter({ hasText: name })
      await row('Result').dragTo(row('Talk'))
      await orderIs(page, ['Your side', 'Result', 'Talk', 'The price'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await orderIs(page, ['Your side', 'Talk', 'The price', 'Result'])

      await row('Your side').getByRole('button').first().click()
      const preview = page.frameLocator('iframe[title="Preview of the page"]')
      await page.getByLabel('Seen by').selectOption('seller')
      await preview.getByText('You are the seller.').waitFor()
      expect(await preview.getByText('You are the buyer.').count()).toBe(0)
      await page.getByLabel('Seen by').selectOption('buyer')
      await preview.getByText('You are the buyer.').waitFor()
      expect(await preview.getByText('You are the seller.').count()).toBe(0)

      const menu = async (item: string) => {
        await page.getByRole('button', { name: 'More', exact: true }).click()
        await page.getByRole('menuitem', { name: item }).click()
      }
      const downloading = page.waitForEvent('download')
      await menu('Export as a file')
      const download = await downloading
      expect(download.suggestedFilename()).toBe('negotiation.json')
      const exported = JSON.parse(await readFile(await download.path(), 'utf8'))
      expect(exported.roles).toHaveLength(2)

      const choosing = page.waitForEvent('filechooser')
      await menu('Import from a file')
      const other = { ...exported, name: 'Read from a file', states: exported.states.slice(0, 1) }
      await (await choosing).setFiles({
        name: 'other.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(other)),
      })
      await page.getByText('“other.json” was read.').waitFor()
      await orderIs(page, ['Your side'])
      await page.getByRole('button', { name: 'Undo' }).click()
      await orderIs(page, ['Your side', 'Talk', 'The price', 'Result'])

      // At the beginning of the definition, whose settings follow from the schema.
      await page.getByText('Code', { exact: true }).click()
      await codeOf(page).click()
      await page.keyboard.press('ControlOrMeta+Home')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.type('"capac')
      // The editor ignores a choice that comes too soon after the list appears.
      await waitUntil(async () => {
        await clickIfShown(page.getByRole('option', { name: '"capacity"' }))
        const text = await codeOf(page).textContent()
        return text?.includes('"capacity":') || 'the name is not completed yet'
      })
      expect(researcher.pageErrors).toEqual([])
      await researcher.leave()
    })

    test('a video is chosen by its name among those that were uploaded', async () => {
      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await signIn(page, world().front().http)
      await page.getByRole('link', { name: 'Media' }).click()
      const folder = createTemporaryFolder('film')
      const video = { width: 160, height: 90, seconds: 1 }
      const path = await makeTinyVideo(folder.path, 'harbour at night.mp4', video)
      await page.locator('.drop-area input[type=file]').setInputFiles(path)
      await page.getByRole('article', { name: 'harbour at night.mp4' }).waitFor()
      folder.remove()
      await beginStudy(page, 'A video')
      await page.getByRole('button', { name: 'Add a component' }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Video/ })
        .click()
      await page.getByRole('button', { name: 'Choose an uploaded video' }).click()
      const dialog = page.getByRole('dialog', { name: 'Uploaded videos' })
      await dialog.getByLabel('Search').fill('harb')
      await expectGoodEverywhere(page, 'the choice of a video')
      await dialog.getByRole('button', { name: /harbour at night/ }).click()
      await page.getByRole('tabpanel').getByText('harbour at night.mp4').waitFor()
      // Until it is processed, there is a hint about it.
      await page
        .getByText('No problems found')
        .or(page.getByText(/^1 hint$/))
        .first()
        .waitFor()
      await page.getByText('Code', { exact: true }).click()
      await codeOf(page).getByText('"videoId"').waitFor()
      // The address of the example would be played instead.
      expect(await codeOf(page).getByText('/examples/film.mp4').count()).toBe(0)
      expect(researcher.pageErrors).toEqual([])
      await researcher.leave()
    })
  },
  { router: true, web: true, objects: true },
)
