import { readFile } from 'node:fs/promises'
import { describeInOneMode } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { beginStudy, publish, writeDefinition } from './builder.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { pair, survey } from './studies.ts'

describeInOneMode(
  'the console',
  (world) => {
    const browser = useBrowser()

    test('a study from its definition to its data, without leaving the browser', async () => {
      const address = world().front().http
      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await signIn(page, address)
      await beginStudy(page, 'My study')
      // Only the flow is wrong, which nothing but the platform can find.
      const broken = {
        ...survey,
        states: survey.states.map((state) => ({ ...state, next: [{ to: 'end', when: 'gone > 1' }] })),
      }
      await writeDefinition(page, broken)
      await page
        .getByText(/‘gone’/)
        .first()
        .waitFor()
      expect(await page.getByRole('button', { name: 'Publish', exact: true }).isEnabled()).toBe(false)
      // Nothing is published, and what is wrong cannot be: the way to it is there.
      const start = async (button: string) => {
        await page.getByRole('tab', { name: 'Overview' }).click()
        await page.getByRole('button', { name: button }).click()
        return page.getByRole('dialog')
      }
      const refused = await start('Start recruiting')
      await refused.getByText('to fix before it can be published').waitFor()
      await expectGoodEverywhere(page, 'starting with problems')
      expect(await refused.getByRole('button', { name: 'Publish and start' }).isEnabled()).toBe(false)
      await refused
        .getByRole('link', { name: /^Go there/ })
        .first()
        .click()
      await writeDefinition(page, survey)
      await page
        .getByText('No problems found')
        .or(page.getByText(/^\d+ hints?$/))
        .waitFor()
      await page.getByText('Draft saved').waitFor()
      await (await start('Start recruiting')).getByRole('button', { name: 'Publish and start' }).click()
      await page.getByRole('heading', { name: 'Sleep and mood' }).waitFor()
      await page.getByText('recruiting', { exact: true }).first().waitFor()
      const link = await page.getByLabel('Link', { exact: true }).inputValue()
      expect(link).toMatch(new RegExp(`^${address}/join/exp_[\\w-]+$`))

      const participant = await createPersonWithBrowser(browser())
      await participant.page.goto(`${link}?PROLIFIC_PID=5f3c`)
      await participant.page.getByRole('button', { name: 'I do not agree' }).click()
      await participant.page.getByRole('button', { name: 'I do not want to take part' }).click()
      await participant.page.getByText('SLEEP-NO').waitFor()
      await participant.leave()
      await page.getByText('NO_CONSENT: 1').waitFor()

      await page.getByRole('tab', { name: 'Data' }).click()
      await page.getByText('Files', { exact: true }).click()
      // A headless browser has no save dialog.
      await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
      // The first rows are shown, and sorted by a click on a column.
      await page.getByRole('button', { name: 'participantId' }).click()
      await page.getByRole('columnheader', { name: 'participantId ↑' }).waitFor()
      await page.getByRole('cell', { name: 'NO_CONSENT' }).waitFor()
      await page.getByLabel('Table').selectOption('events')
      await page.getByRole('cell', { name: 'consent_declined' }).waitFor()
      await page.getByLabel('Format').selectOption('jsonl')
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n')
      expect(lines.map((line) => JSON.parse(line).type)).toContain('consent_declined')

      // A change is a new revision; the old one remains for people who joined with it.
      await page.getByRole('tab', { name: 'Definition' }).click()
      await writeDefinition(page, { ...survey, name: 'Sleep and mood, again' })
      await publish(page)
      await page
        .getByText(/Revision 3/)
        .first()
        .waitFor()
      await page.getByRole('tab', { name: 'Revisions' }).click()
      await page.getByRole('button', { name: 'Show revision 3' }).click()
      await page.getByText('Name: “Sleep and mood” → “Sleep and mood, again”').waitFor()
      await page.getByRole('button', { name: 'Show revision 2' }).click()
      await page.getByRole('button', { name: 'Participants of revision 2' }).click()
      await page.getByRole('button', { name: /^Show what part_/ }).waitFor()
      await page.getByRole('button', { name: 'Definition', exact: true }).click()
      const former = page.getByLabel('Definition of revision 2')
      await former.waitFor()
      expect(JSON.parse((await former.textContent()) ?? '')).toMatchObject({ name: survey.name })

      // To go back, it is saved again, so that nothing in between is lost.
      await page.getByRole('button', { name: 'Restore this revision' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Restore this revision' }).click()
      await page.getByText('Revision 2 was restored as revision 4.').waitFor()
      await page.getByRole('button', { name: 'Show revision 4' }).click()
      await page.getByText('Name: “Sleep and mood, again” → “Sleep and mood”').waitFor()

      // What is not published reaches nobody unless somebody says so.
      await page.getByRole('tab', { name: 'Overview' }).click()
      await page.getByRole('button', { name: 'Pause recruiting' }).click()
      await page.getByText('Nobody new can join for now.').waitFor()
      await page.getByRole('tab', { name: 'Definition' }).click()
      await writeDefinition(page, { ...survey, name: 'Unfinished' })
      await page.getByText('Draft saved').waitFor()
      const choice = await start('Resume recruiting')
      await choice.getByText('Name: “Sleep and mood” → “Unfinished”').waitFor()
      await expectGoodEverywhere(page, 'starting with changes')
      await choice.getByRole('button', { name: 'Start with revision 4' }).click()
      await page.getByText('People can join.').waitFor()
      await page.getByRole('heading', { name: 'Sleep and mood' }).waitFor()

      // The recruiting ids, for payment, are on a page of their own: not of people who declined.
      await page.getByRole('tab', { name: 'Participants' }).click()
      await page.getByRole('table').getByText('SLEEP-NO').waitFor()
      expect(await page.getByText('5f3c').count()).toBe(0)
      expect(lines.join()).not.toContain('5f3c')
      expect(researcher.pageErrors).toEqual([])
      await researcher.leave()
    })

    test('a room is watched and controlled while people are in it', async () => {
      const study = await openStudy(world(), pair)
      const people = [await createPersonWithBrowser(browser()), await createPersonWithBrowser(browser())]
      for (const { page } of people) await page.goto(study.link)
      for (const { page } of people) await page.getByRole('heading', { name: 'Agree on a number' }).waitFor()
      const researcher = await createPersonWithBrowser(browser(), desk)
      const { page } = researcher
      await signIn(page, world().front().http)
      await page.goto(`${world().front().http}/console/experiments/${study.experimentId}/rooms`)
      await page
        .getByRole('link', { name: /^room_/ })
        .first()
        .click()
      await page.getByText('connected').nth(1).waitFor()

      const act = async (name: string, reason?: string) => {
        await page.getByRole('group', { name: 'Control the room' }).getByRole('button', { name }).click()
        const dialog = page.getByRole('dialog')
        if (reason) await dialog.getByRole('textbox').fill(reason)
        await dialog.getByRole('button').last().click()
      }
      await act('Announce', 'Five more minutes.')
      for (const { page } of people) await page.getByText('Five more minutes.').waitFor()
      await act('Pause')
      for (const { page } of people) await page.getByText('The study is paused.').waitFor()
      await act('Resume')
      for (const { page } of people)
        await page.getByText('The study is paused.').waitFor({ state: 'detached' })
      await act('Advance')
      for (const { page } of people) await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      expect(researcher.pageErrors).toEqual([])
      await Promise.all([...people, researcher].map(({ leave }) => leave()))
    })
  },
  { mode: 'cluster', router: true, web: true },
)
