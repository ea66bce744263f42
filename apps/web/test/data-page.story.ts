import { readFile } from 'node:fs/promises'
import { type ExperimentDefinition, participantRoutes, shareRoutes } from '@atrium/contract'
import {
  createApi,
  createPerson,
  openRoomSocket,
  startWorld,
  succeeded,
  type World,
  waitUntil,
} from '@atrium/testkit'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectGoodEverywhere, expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { component } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const study: ExperimentDefinition = {
  name: 'Times and ways',
  states: [
    {
      id: 'question',
      name: 'A question',
      components: [component('mood', 'text_input', { kind: 'number', label: 'How do you feel?' })],
      end: { on: 'all_responded' },
    },
    { id: 'thanks', components: [], end: { on: 'button' } },
  ],
  completion: { codes: { SUCCESS: 'DONE' }, payment: { currency: 'EUR', base: 1, bonus: 'points' } },
  variables: { points: { initial: 0 } },
}

/** Somebody who joins and sees the first state. */
async function arrive(experimentId: string) {
  const api = createApi(world.front().http)
  const session = await (await createPerson(api)).join(experimentId)
  const room = await openRoomSocket(world.front().http, session)
  return { api, session, room }
}

async function answers(experimentId: string, responseTime: number): Promise<void> {
  const { api, session, room } = await arrive(experimentId)
  await room.act('submit_response', { componentId: 'mood', value: responseTime, responseTime })
  await room.event('state_entered', ({ state }) => state.id === 'thanks')
  await room.act('ready', { stateId: 'thanks' })
  await room.event('finished')
  const body = { completionCode: 'SUCCESS' }
  succeeded(await api.call(participantRoutes.completeV4, { session, body }))
  room.close()
}

/** Three answer and complete, one leaves in the first state, one stays there. */
async function playedStudy() {
  const opened = await openStudy(world, study)
  for (const responseTime of [400, 600, 2_500]) await answers(opened.experimentId, responseTime)
  const leaving = await arrive(opened.experimentId)
  await leaving.room.act('leave')
  leaving.room.close()
  const staying = await arrive(opened.experimentId)
  return { ...opened, finish: () => staying.room.close() }
}

const untilThereAre = (found: Locator, count: number) =>
  waitUntil(async () => {
    const there = await found.count()
    return there === count || `${there} instead of ${count}`
  })

/** The rows of the table that says the same as a plot. */
async function tableOf(page: Page, title: string): Promise<string[]> {
  const card = page.getByRole('region', { name: title })
  const button = card.getByRole('button', { name: 'Show as a table' })
  const table = card.getByRole('table')
  // Each plot is loaded by itself, so that another one may be there before.
  await button.or(table).first().waitFor()
  if (await button.isVisible()) await button.click()
  const rows = table.getByRole('row')
  await rows.nth(1).waitFor()
  return (await rows.allInnerTexts()).slice(1).map((row) => row.replaceAll(/\s*\t\s*/g, ' | '))
}

async function openData(page: Page, experimentId: string): Promise<void> {
  await page.goto(`${world.front().http}/console/experiments/${experimentId}/data`)
  await page.getByRole('radiogroup', { name: 'What to show' }).waitFor()
}

test('[X53] the plots show what happened, also after a person is deleted, on a phone and in the dark', async () => {
  const { experimentId, finish } = await playedStudy()
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await signIn(page, world.front().http)
  await openData(page, experimentId)
  await page.getByText('5 people joined, and 3 ended with any outcome (60%).').first().waitFor()
  const flow = async () =>
    (await tableOf(page, 'Participant flow (CONSORT)')).filter((row) => !row.endsWith('| 0'))
  expect(await flow()).toEqual([
    'Arrived | 5',
    'Assigned to a room | 5',
    'Still taking part | 1',
    'Left on their own | 1',
    'Completed | 3',
  ])
  await page.getByRole('img', { name: '5 people arrived, 3 completed (60%), and 1 stopped' }).waitFor()
  expect(await tableOf(page, 'Outcomes')).toEqual(['SUCCESS | 3', 'ABANDONED | 1', 'Not decided yet | 1'])
  expect(await tableOf(page, 'Drop-out by state')).toEqual([
    'A question | 5 | 3 | 1 | 1',
    'thanks | 3 | 3 | 0 | 0',
  ])
  const times = () => tableOf(page, 'Response times')
  expect((await times()).filter((row) => !row.endsWith('| 0'))).toEqual([
    '300 ms – 500 ms | 1',
    '500 ms – 700 ms | 1',
    '2 s – 3 s | 1',
  ])
  expect((await tableOf(page, 'Waiting times'))[0]).toBe('under 1 s | 5')
  // What is drawn, not only what is written: a bar for each of the three response times.
  const drawn = page.getByRole('region', { name: 'Response times' }).locator('.recharts-bar-rectangle path')
  await untilThereAre(drawn, 3)
  await expectGoodEverywhere(page, 'plots')

  await page.getByText('Participants', { exact: true }).last().click()
  await page.getByLabel('Outcome').selectOption('SUCCESS')
  const people = page.getByRole('button', { name: /^Show what part_/ })
  await untilThereAre(people, 3)
  await expectGoodPage(page, 'participants')
  await people.first().click()
  await page.getByText('question · mood · 400 · 400 ms').waitFor()
  await page.getByText('Reached the end of the study').waitFor()
  await page.setViewportSize({ width: 360, height: 780 })
  await expectGoodPage(page, 'one person, on a phone')

  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export this person' }).click()
  const person = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(person.participant.outcome).toBe('SUCCESS')

  await page.getByRole('button', { name: 'Delete this person …' }).click()
  await page.getByLabel('Everything').check()
  await page.getByText('What others did in the same room stays, and').waitFor()
  await expectGoodPage(page, 'the dialog before a deletion')
  await page.getByRole('button', { name: 'Delete everything' }).click()
  await untilThereAre(people, 2)
  await page.getByText('Plots', { exact: true }).click()
  await page.getByText('4 people joined, and 2 ended with any outcome (50%).').first().waitFor()
  expect(await flow()).toEqual([
    'Arrived | 5',
    'Assigned to a room | 4',
    'Still taking part | 1',
    'Left on their own | 1',
    'Deleted | 1',
    'Completed | 2',
  ])
  expect(await tableOf(page, 'Drop-out by state')).toEqual([
    'A question | 4 | 2 | 1 | 1',
    'thanks | 2 | 2 | 0 | 0',
  ])
  expect((await times()).filter((row) => !row.endsWith('| 0'))).toEqual([
    '500 ms – 700 ms | 1',
    '2 s – 3 s | 1',
  ])
  expect(pageErrors).toEqual([])
  finish()
  await leave()
})

test('[R37,R47] files for everybody with access; who people are only for the owner', async () => {
  const { experimentId, researcher } = await openStudy(world, { ...study, name: 'Shared files' })
  const api = createApi(world.front().http)
  const shares = [{ user: 'console:bob', access: 'view' as const }]
  succeeded(
    await api.call(shareRoutes.replace, {
      token: researcher.token,
      params: { experimentId },
      body: { shares },
    }),
  )
  const { page, leave } = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await signIn(page, world.front().http)
  await openData(page, experimentId)
  await page.getByText('Nobody has joined yet.').first().waitFor()
  await expectGoodPage(page, 'plots without anything to plot')
  await page.getByText('Files', { exact: true }).click()
  await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
  const fileOf = async (name: string) => {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: `Download: ${name}` }).click()
    const download = await downloading
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
  }
  const archive = await fileOf('Psych-DS archive')
  expect([archive.name.endsWith('.zip'), archive.text.startsWith('PK')]).toEqual([true, true])
  expect((await fileOf('Codebook')).text).toContain('payments')
  expect((await fileOf('Payments')).text).toContain('bonus')
  expect((await fileOf('Identity file')).text).toContain('subject')
  expect((await fileOf('Bonus file')).text).toBe('')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectGoodPage(page, 'files, dark')
  await leave()

  const bob = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await signIn(bob.page, world.front().http, { name: 'Bob' })
  await openData(bob.page, experimentId)
  await bob.page.getByText('Files', { exact: true }).click()
  await bob.page.getByRole('button', { name: 'Download: Payments' }).waitFor()
  expect(await bob.page.getByRole('button', { name: /Identity|Bonus/ }).count()).toBe(0)
  await bob.leave()
})
