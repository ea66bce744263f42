import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { Seat, Steps } from './story.ts'

const dialogOf = ({ page, hand }: Seat) => hand.within(page.getByRole('dialog'))

/** From a study that was tried out to its data. */
export const runningSteps: Steps = {
  async Launch({ researcher, picture }) {
    const { page, hand } = researcher
    await hand.press('Overview')
    await hand.sees('Before you start')
    await hand.sees('People get a code at the end.')
    await picture('checklist', researcher, [page.getByRole('button', { name: 'Start recruiting' })])
    await hand.press('Start recruiting')
    await hand.sees('People can join.')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await hand.within(page.getByRole('region', { name: 'Links for participants' })).pressWhatBegins('Copy')
  },

  async 'Take part, twice'({ researcher, participants, picture }) {
    const link = await researcher.page.evaluate(() => navigator.clipboard.readText())
    const [first, second] = participants
    for (const { page, hand } of participants) {
      await page.goto(link)
      await hand.press('I agree')
      if (page === first.page) {
        await hand.sees(/waiting/i)
        await picture('waiting', first)
      }
    }
    for (const { hand } of participants) await hand.press('Continue')
    await first.hand.write('Your message', 'I would say sixty per cent.')
    await first.hand.press('Send')
    await second.hand.sees('I would say sixty per cent.')
    await picture('talking', second)
  },

  async 'Watch them'({ researcher, picture }) {
    const { page, hand } = researcher
    await hand.press('Rooms')
    await page.getByRole('link', { name: 'Room 1 · Talk' }).waitFor()
    await picture('watch', researcher, [page.getByRole('link', { name: 'Room 1 · Talk' })])
  },

  async 'End the study'({ researcher, participants, picture }) {
    for (const { page, hand } of participants) {
      await page.getByRole('slider').click()
      await hand.press('Continue')
    }
    for (const { hand } of participants) await hand.sees('TWOHEADS')
    await picture('done', participants[0])
    const { page, hand } = researcher
    const funnel = page.getByRole('list', { name: 'From arrival to completion' }).getByRole('listitem')
    await funnel.filter({ hasText: 'Completed' }).getByText('100%').waitFor()
    await hand.press('Overview')
    await hand.press('Close the study')
    await dialogOf(researcher).press('Close the study')
    await hand.sees('Nobody new can join.')
  },

  async 'Replay what happened'({ researcher, picture }) {
    const { page, hand } = researcher
    await hand.press('Rooms')
    await hand.press('All')
    await hand.press('Replay')
    await hand.pressWhatSays('wrote: “I would say sixty per cent.”')
    await hand.choose('Seen', 'as P2 (participant)')
    await page.frameLocator('iframe').getByText('I would say sixty per cent.').waitFor()
    await picture('replay', researcher)
  },

  async 'Take the data home'({ researcher, picture }) {
    const { page, hand } = researcher
    await hand.press('← Room')
    await hand.press('← Rooms of the study')
    await hand.press('Data')
    await hand.sees('2 people joined, and 2 ended')
    await picture('plots', researcher)
    await hand.press('Files')
    await picture('files', researcher, [page.getByLabel('Table', { exact: true })])
    await hand.choose('Table', 'Responses')
    await hand.choose('Format', 'CSV')
    const downloading = page.waitForEvent('download')
    await hand.press('Export')
    const file = await readFile(await (await downloading).path(), 'utf8')
    const answers = file.split('\n').filter((line) => line.includes(',"slider",'))
    expect(answers, file).toHaveLength(2)
  },

  async 'Change your mind'({ researcher, picture }) {
    const { page, hand } = researcher
    await hand.press('Definition')
    await hand.within(page.getByRole('navigation', { name: 'Outline of the study' })).press('Talk')
    await hand.pressWhatBegins('Slider')
    await hand.write('Question', 'What share of all people live in Africa?')
    await hand.press('Publish')
    await hand.sees('Published as revision 3')
    await hand.press('Revisions')
    await hand.press('Show revision 2')
    await picture('revisions', researcher, [page.getByRole('button', { name: 'Restore this revision' })])
    await hand.press('Restore this revision')
    await dialogOf(researcher).press('Restore this revision')
    await hand.sees('Revision 2 was restored as revision 4.')
    await hand.press('Definition')
    await hand.sees('Revision 4, as published.')
    await hand.within(page.getByRole('navigation', { name: 'Outline of the study' })).press('Talk')
    await page.frameLocator('iframe').getByText('What share of all people live in Asia?').waitFor()
  },
}
