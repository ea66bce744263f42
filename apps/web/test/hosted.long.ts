import type { ExperimentDefinition } from '@atrium/contract'
import { describeInBothModes } from '@atrium/testkit'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginStudy, publish, writeDefinition } from './builder.ts'
import { clientId, signInAtProvider, startOidcProvider } from './oidc-provider.ts'
import { createPersonWithBrowser, type Person, useBrowser } from './people.ts'
import { pair, survey } from './studies.ts'

const provider = await startOidcProvider((login) => (login === 'ada' ? ['researcher'] : []))
afterAll(() => provider.stop())

const recruiter = 'https://recruiter.example'
const paidPair: ExperimentDefinition = {
  ...pair,
  completion: {
    codes: { SUCCESS: 'PAIR' },
    redirectUrl: `${recruiter}/complete?cc={{code}}&pid={{metadata.PROLIFIC_PID}}`,
  },
}
const { consent: _none, ...direct } = survey
const twoQuestions = { ...direct, states: direct.states.slice(1) }

/** No request leaves this machine; the recruiting site is only where people return to. */
async function personIn(browser: Browser, size?: { width: number; height: number }) {
  const person = await createPersonWithBrowser(browser, size)
  const asked: string[] = []
  person.page.on('request', (request) => asked.push(new URL(request.url()).origin))
  await person.context.route(
    (url) => url.hostname !== '127.0.0.1',
    (route) =>
      route.request().url().startsWith(recruiter)
        ? route.fulfill({ contentType: 'text/html', body: '<h1>Thank you, says the recruiting site</h1>' })
        : route.abort(),
  )
  return { ...person, hasAskedProvider: () => asked.includes(provider.issuer) }
}

/** Writes, saves and opens a study in the console; returns the link for Prolific as the researcher copies it. */
async function openStudyInConsole(page: Page, address: string, definition: ExperimentDefinition) {
  await beginStudy(page, 'My study')
  await writeDefinition(page, definition)
  await publish(page)
  await page.getByRole('heading', { name: definition.name }).waitFor()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('button', { name: /recruit/i }).click()
  await page.getByText('recruiting', { exact: true }).first().waitFor()
  const prolific = await page.getByRole('textbox', { name: 'For Prolific' }).inputValue()
  expect(prolific).toContain('PROLIFIC_PID={{%PROLIFIC_PID%}}')
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  expect(link).toContain(`${address}/join/`)
  await page
    .getByRole('link', { name: /Experiments/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor()
  return { link, prolific }
}

/** Fills in the link as the recruiting site does when somebody chooses the study. */
const filled = (prolific: string, pid: string): string =>
  prolific
    .replace('{{%PROLIFIC_PID%}}', pid)
    .replace('{{%STUDY_ID%}}', 'study-1')
    .replace('{{%SESSION_ID%}}', `visit-of-${pid}`)

describeInBothModes(
  'a hosted study',
  (world) => {
    const browser = useBrowser()
    const address = () => world().front().http
    let researcher: Person

    beforeAll(async () => {
      provider.register(address())
      researcher = await personIn(browser(), { width: 1_280, height: 860 })
      await researcher.page.goto(`${address()}/console`)
      await signInAtProvider(researcher.page, 'ada')
      await researcher.page.getByRole('heading', { name: 'Studies', exact: true }).waitFor()
    })
    const openStudy = (definition: ExperimentDefinition) =>
      openStudyInConsole(researcher.page, address(), definition)

    test('[R51,G12,G1] from the link to the code and back to the recruiting site, without an account', async () => {
      const { prolific } = await openStudy(paidPair)
      const ann = await personIn(browser())
      await ann.page.goto(filled(prolific, 'pid-ann'))
      await ann.page.getByText('We’re waiting for one more person.').waitFor()
      await ann.page.reload()
      await ann.page.getByText('We’re waiting for one more person.').waitFor()
      const ben = await personIn(browser())
      await ben.page.goto(filled(prolific, 'pid-ben'))
      for (const { page } of [ann, ben]) {
        await page.getByRole('heading', { name: 'Agree on a number' }).waitFor()
        await page.getByLabel('Your number').fill('7')
        await page.getByRole('button', { name: 'Submit' }).click()
      }
      for (const { page } of [ann, ben]) await page.getByRole('button', { name: 'Continue' }).click()
      // Automatically, after a moment to read the code.
      for (const [name, { page }] of Object.entries({ ann, ben }))
        await page.waitForURL(`${recruiter}/complete?cc=PAIR&pid=pid-${name}`)
      // People who open the link again see their code again, but not on another device: anybody could have guessed the id.
      await ann.page.goto(filled(prolific, 'pid-ann'))
      await ann.page.getByText('PAIR', { exact: true }).waitFor()
      const phone = await personIn(browser())
      await phone.page.goto(filled(prolific, 'pid-ann'))
      await phone.page.getByRole('heading', { name: 'You have already taken part in this study' }).waitFor()
      expect(await phone.page.getByText('PAIR', { exact: true }).count()).toBe(0)
      for (const { pageErrors, hasAskedProvider, leave } of [ann, ben, phone]) {
        expect(hasAskedProvider()).toBe(false)
        expect(pageErrors.filter((error) => !error.includes('409'))).toEqual([])
        await leave()
      }
    })

    test('[R51] without an id the browser identifies the guest, and unfilled placeholders identify nobody', async () => {
      const { prolific } = await openStudy(twoQuestions)
      const people = [await personIn(browser()), await personIn(browser())]
      for (const { page } of people) {
        await page.goto(prolific)
        await page.getByLabel('badly').check()
      }
      // Two people came with the same unfilled link; each continues where they were.
      const [ann, ben] = people
      await ann?.page.getByRole('slider').focus()
      await ann?.page.keyboard.press('Home')
      await ann?.page.getByRole('button', { name: 'Continue' }).click()
      await ann?.page.getByRole('heading', { name: 'Thank you' }).waitFor()
      await ann?.page.reload()
      await ann?.page.getByRole('heading', { name: 'Thank you' }).waitFor()
      await ben?.page.reload()
      await ben?.page.getByRole('heading', { name: 'Two questions' }).waitFor()
      const kept = await ann?.page.evaluate(() =>
        JSON.stringify([{ ...sessionStorage }, { ...localStorage }]),
      )
      expect(kept).toContain('gst_')
      expect(kept).not.toContain('eyJ')
      expect(kept).not.toContain('sess_')
      await ann?.page.getByRole('button', { name: 'Finish' }).click()
      await ann?.page.getByText('SLEEP-1').waitFor()
      for (const { pageErrors, hasAskedProvider, leave } of people) {
        expect(hasAskedProvider()).toBe(false)
        expect(pageErrors).toEqual([])
        await leave()
      }
    })

    test('[R51] without browser storage, a guest can take part in a single visit', async () => {
      const { link } = await openStudy(twoQuestions)
      const { page, context, leave } = await personIn(browser())
      await context.addInitScript(() => {
        const refuse = () => {
          throw new DOMException('storage is forbidden', 'SecurityError')
        }
        for (const name of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, name, { get: refuse })
        IDBFactory.prototype.open = refuse
      })
      await page.goto(link)
      await page.getByLabel('well').check()
      await page.getByRole('slider').focus()
      await page.keyboard.press('Home')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Finish' }).click()
      await page.getByText('SLEEP-1').waitFor()
      await leave()
    })

    test('[R51] a study for signed-in people sends them to the provider and admits nobody else', async () => {
      const { link, prolific } = await openStudy({ ...twoQuestions, access: 'signed_in' })
      const { page, hasAskedProvider, leave } = await personIn(browser())
      await page.goto(filled(prolific, 'pid-cy'))
      await signInAtProvider(page, 'cy')
      await page.getByRole('heading', { name: 'Two questions' }).waitFor()
      expect(new URL(page.url()).searchParams.get('PROLIFIC_PID')).toBe('pid-cy')
      expect(hasAskedProvider()).toBe(true)
      await page.goto(link)
      await page.getByRole('heading', { name: 'Two questions' }).waitFor()
      await leave()
    })

    test('[R51] people who choose a study after signing in take part with that account, even after a reload', async () => {
      const name = `For all ${world().mode}`
      const { link } = await openStudy({ ...twoQuestions, name })
      const { page, leave } = await personIn(browser())
      await page.goto(address())
      await signInAtProvider(page, 'dora')
      await page.getByRole('link', { name }).click()
      await page.getByRole('heading', { name: 'Two questions' }).waitFor()
      await page.goto(link)
      await page.getByRole('heading', { name: 'Two questions' }).waitFor()
      expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('gst_')
      await leave()
    })
  },
  {
    router: true,
    env: {
      HOSTED: 'true',
      OIDC_ISSUER: provider.issuer,
      OIDC_AUDIENCE: clientId,
      SESSION_SECRET: 'the session secret of a hosted study',
    },
  },
)
