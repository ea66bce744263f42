import type { Page } from 'playwright-core'
import { views } from '../../src/text/en/participant-views.ts'
import { example } from '../example.ts'
import { pair } from '../studies.ts'
import type { Scene, Visit } from './visit.ts'

/** A study in which one room has ended and two people in another one are talking. */
async function playedStudy(visit: Visit) {
  const study = await visit.openStudy(pair)
  for (const isOver of [true, false]) {
    const people = [await visit.someoneAt(study.link), await visit.someoneAt(study.link)]
    const [ann] = people
    await ann?.getByLabel(views.chat.message).fill('Shall we say 7?')
    await ann?.getByRole('button', { name: views.chat.send }).click()
    for (const page of people) await page.getByRole('log').getByText('Shall we say 7?').waitFor()
    if (!isOver) continue
    for (const page of people) {
      await page.getByLabel('Your number').fill('7')
      await page.getByRole('button', { name: 'Submit' }).click()
    }
    for (const page of people) await page.getByRole('button', { name: 'Continue' }).click()
    for (const page of people) await page.getByText('PAIR').waitFor()
  }
  return study
}

/** A tab of that study. */
const tab = (name: string, title: string, sign: string, more?: (page: Page) => Promise<void>): Scene => ({
  name: `console-${name}`,
  title,
  async reach(visit) {
    const { experimentId } = await playedStudy(visit)
    const page = await visit.researcherAt(`experiments/${experimentId}/${name.split('-')[0]}`)
    await page.getByText(sign).or(page.getByLabel(sign)).filter({ visible: true }).first().waitFor()
    await more?.(page)
    return page
  },
})

async function openRoom(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Room \d+ · Agree/ }).click()
  await page.getByText('P1').first().waitFor()
}

export const studyScenes: readonly Scene[] = [
  {
    name: 'console-checklist',
    title: 'Before recruiting',
    async reach(visit) {
      const { experimentId, researcher } = await visit.openStudy(example('negotiation'))
      await researcher.setStatus(experimentId, 'paused')
      const page = await visit.researcherAt(`experiments/${experimentId}`)
      await page.getByText('Before you start').waitFor()
      return page
    },
  },
  tab('overview', 'A study that recruits', 'Links for participants'),
  tab('rooms', 'Rooms, live', 'Which rooms', async (page) => {
    await page.getByRole('link', { name: /^Room \d+ · Agree/ }).waitFor()
  }),
  tab('rooms-one', 'A room', 'Which rooms', openRoom),
  tab('rooms-replay', 'The replay of a room', 'Which rooms', async (page) => {
    await openRoom(page)
    await page.getByRole('link', { name: 'Replay' }).click()
    await page.getByRole('button', { name: /wrote: “Shall we say 7\?”/ }).click()
    await page.getByText('no answer yet').first().waitFor()
  }),
  tab('matching', 'A dry run of the matching', 'Dry run', async (page) => {
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Half waited at most').waitFor()
  }),
  tab('revisions', 'Revisions', 'Saved', async (page) => {
    await page.getByRole('button', { name: 'Show revision 1' }).click()
    await page.getByText('there was nothing before it').waitFor()
  }),
  tab('agents', 'Agents of a study', 'Pilot'),
  tab('recruiting', 'Recruiting sites', 'For Prolific'),
  tab('participants', 'Participants and their recruiting IDs', 'SUCCESS'),
  tab('data', 'Plots', 'Completion over time'),
  tab('data-people', 'Participants, step by step', 'Completion over time', async (page) => {
    await page.getByText('Participants', { exact: true }).last().click()
    await page.getByText('SUCCESS').filter({ visible: true }).first().waitFor()
  }),
  tab('data-files', 'Files to export', 'Completion over time', async (page) => {
    await page.getByText('Files', { exact: true }).click()
    await page.getByText('Psych-DS archive').waitFor()
  }),
  tab('sharing', 'Sharing with colleagues', 'Share with'),
]
