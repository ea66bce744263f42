import type { ExperimentDefinition } from '@atrium/contract'
import { startProlificServer, startWorld, type World, waitUntil } from '@atrium/testkit'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginStudy, publish, writeDefinition } from './builder.ts'
import { expectGoodPage } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { survey } from './studies.ts'

const prolific = await startProlificServer()
const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded', { env: { PROLIFIC_API_URL: prolific.baseUrl } })
})
afterAll(async () => {
  await world?.stop()
  await prolific.stop()
})

const { consent: _none, ...direct } = survey
const study: ExperimentDefinition = {
  ...direct,
  name: 'Recruited',
  states: [{ id: 'only', components: [{ id: 'hello', type: 'text', text: 'Hello.' } as never] }],
  completion: { codes: { SUCCESS: 'C-DONE', QUOTA_FULL: 'C-FULL' } },
  recruiting: { prolific: {}, mturk: {} },
  capacity: 2,
}

/** Somebody whose recruiting sites are this test. */
async function visitor() {
  const person = await createPersonWithBrowser(browser())
  const outside: Request[] = []
  await person.context.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) => {
      outside.push(route.request())
      return route.fulfill({ contentType: 'text/html', body: '<h1>The recruiting site</h1>' })
    },
  )
  return { ...person, outside }
}

test('[RC1,RC2,RC4,RC5] people leave only when their data is safe, and return with the right code', async () => {
  const { link } = await openStudy(world, study)
  const ann = await visitor()
  let refused = 0
  await ann.context.route('**/participant/complete', (route) => {
    refused += 1
    return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: {} })
  })
  await ann.page.goto(`${link}?PROLIFIC_PID=ann&STUDY_ID=s1&SESSION_ID=v1`)
  await ann.page.getByRole('button', { name: /Continue|Finish/ }).click()
  await ann.page.getByRole('heading', { name: 'Saving your answers' }).waitFor()
  await waitUntil(() => refused >= 2 || 'the page has not tried again')
  expect(ann.outside).toEqual([])
  await ann.context.unroute('**/participant/complete')
  const back = 'https://app.prolific.com/submissions/complete?cc=C-DONE'
  await ann.page.waitForURL(back)
  // Whoever comes back is led back again.
  await ann.page.goto(`${link}?PROLIFIC_PID=ann&STUDY_ID=s1&SESSION_ID=v1`)
  await ann.page.getByRole('link', { name: 'Go back now' }).click()
  await ann.page.waitForURL(back)
  await ann.leave()

  const worker = await visitor()
  const hit = 'workerId=w1&hitId=h1&turkSubmitTo=https%3A%2F%2Fworkersandbox.mturk.com'
  await worker.page.goto(`${link}?${hit}&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE`)
  await worker.page.getByRole('heading', { name: 'Preview' }).waitFor()
  await worker.page.goto(`${link}?${hit}&assignmentId=a1`)
  await worker.page.getByRole('button', { name: /Continue|Finish/ }).click()
  await worker.page.getByRole('button', { name: 'Go back now' }).click()
  await worker.page.waitForURL('https://workersandbox.mturk.com/mturk/externalSubmit')
  expect(worker.outside.at(-1)?.method()).toBe('POST')
  expect(worker.outside.at(-1)?.postData()).toBe('assignmentId=a1&completionCode=C-DONE')
  await worker.leave()

  const late = await visitor()
  await late.page.goto(`${link}?PROLIFIC_PID=late`)
  await late.page.getByText('All places in this study have been taken.').waitFor()
  await late.page.getByRole('link', { name: 'Go back now' }).click()
  await late.page.waitForURL('https://app.prolific.com/submissions/complete?cc=C-FULL')
  await late.leave()
})

test('[RC6,RC7,RC8] a researcher connects, creates a draft, approves and pays a bonus', async () => {
  const { page, leave } = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await signIn(page, world.front().http)
  await beginStudy(page, 'My study')
  await writeDefinition(page, { ...study, name: 'At Prolific' })
  await publish(page)
  await page.getByRole('heading', { name: 'At Prolific' }).waitFor()
  await page.getByRole('tab', { name: 'Recruiting' }).click()
  const sona = page.getByRole('textbox', { name: 'For SONA' })
  expect(await sona.inputValue()).toContain('?sona_id=%SURVEY_CODE%')
  await page.getByText('C-FULL').waitFor()

  await page.getByLabel('API token').fill('not the token of anybody')
  await page.keyboard.press('Enter')
  await page.getByText('Prolific could not be asked').waitFor()
  await page.getByLabel('API token').fill(prolific.token)
  await page.keyboard.press('Enter')
  await page.getByText('Connected with the token that ends in cher.').waitFor()
  await page.getByText('No studies yet').waitFor()
  await page.getByLabel('Description').fill('One page to read.')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('button', { name: 'Show submissions: At Prolific' }).waitFor()
  const [studyId = ''] = [...prolific.studies.keys()].slice(-1)
  expect(prolific.studies.get(studyId)?.external_study_url).toContain(`${world.front().http}/join/`)
  const { id } = prolific.takePart(studyId, 'person-1', 'C-DONE')
  await page.getByRole('button', { name: 'Show submissions: At Prolific' }).click()
  await page.getByRole('button', { name: `Approve ${id}` }).click()
  await page.getByRole('cell', { name: 'APPROVED' }).waitFor()
  await page.getByLabel(`Bonus for ${id}`).first().fill('125')
  await page.getByRole('button', { name: `Pay a bonus for ${id}` }).click()
  await page.getByText('125 in all, to 1 person, in pence or cents').waitFor()
  await expectGoodPage(page, 'the dialog before a payment')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('125 in all, to 1 person').waitFor({ state: 'hidden' })
  expect(prolific.paid).toEqual([])
  await page.getByRole('button', { name: `Pay a bonus for ${id}` }).click()
  await page.getByRole('button', { name: 'Pay 125' }).click()
  await page.getByText('125, paid').first().waitFor()
  expect(prolific.paid).toEqual([{ participantId: 'person-1', amount: '1.25' }])
  await expectGoodPage(page, 'recruiting')
  await page.setViewportSize({ width: 390, height: 844 })
  await expectGoodPage(page, 'recruiting on a phone')
  await leave()
})
