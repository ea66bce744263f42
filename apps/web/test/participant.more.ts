import { roomRoutes } from '@atrium/contract'
import { createApi, describeInOneMode, succeeded, waitUntil } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component, pair, survey } from './studies.ts'

const { consent: _asked, ...withoutConsent } = survey

describeInOneMode(
  'a participant’s pages, otherwise',
  (world) => {
    const browser = useBrowser()

    test('[R52] people who decline or leave get a code as well, and see it again later', async () => {
      const study = await openStudy(world(), survey)
      const declining = await createPersonWithBrowser(browser())
      await declining.page.goto(study.link)
      // Declining asks once, and Escape or going back changes nothing.
      await declining.page.getByRole('button', { name: 'I do not agree' }).click()
      await declining.page.getByRole('button', { name: 'Go back' }).click()
      await declining.page.getByRole('button', { name: 'I do not agree' }).click()
      await declining.page.getByRole('button', { name: 'I do not want to take part' }).click()
      await declining.page.getByText('SLEEP-NO').waitFor()
      // Coming back shows what happened, never a completed study.
      await declining.page.reload()
      await declining.page.getByText('You did not agree to take part').waitFor()
      await declining.page.getByText('SLEEP-NO').waitFor()
      await declining.leave()
      const leaving = await createPersonWithBrowser(browser())
      await leaving.page.goto(study.link)
      await leaving.page.getByRole('button', { name: 'I agree' }).click()
      await leaving.page.getByRole('button', { name: 'Leave the study' }).click()
      await leaving.page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
      await leaving.page.getByText('SLEEP-LEFT').waitFor()
      await leaving.page.goto(study.link)
      await leaving.page.getByText('You have left the study.').waitFor()
      await leaving.page.getByText('SLEEP-LEFT').waitFor()
      expect(await leaving.page.getByText('completed').count()).toBe(0)
      await leaving.leave()
    })

    test('[R52] whoever a researcher removes has the code and the way back to the recruiting site, now and later', async () => {
      const study = await openStudy(world(), {
        ...withoutConsent,
        completion: { codes: { SUCCESS: 'SLEEP-1', TECHNICAL: 'SLEEP-TECH' } },
        recruiting: { prolific: {} },
      })
      const { page, context, leave } = await createPersonWithBrowser(browser())
      const back = 'https://app.prolific.com/submissions/complete?cc=SLEEP-TECH'
      await context.route(back, (route) => route.fulfill({ contentType: 'text/html', body: 'Prolific' }))
      const link = `${study.link}?PROLIFIC_PID=removed`
      await page.goto(link)
      await page.getByRole('heading', { name: 'How it works' }).waitFor()
      const [{ roomId, participantId } = { roomId: null, participantId: '' }] = await study.exported()
      const { token } = study.researcher
      const params = { roomId: roomId ?? '', participantId }
      const api = createApi(() => world().any().http)
      succeeded(await api.call(roomRoutes.remove, { token, params, body: {} }))
      for (const comesBack of [false, true]) {
        if (comesBack) await page.goto(link)
        else await page.getByText('The researchers ended your participation.').waitFor()
        await page.getByText('SLEEP-TECH').waitFor()
        await page.getByRole('link', { name: 'Go back now' }).click()
        await page.waitForURL(back)
      }
      await leave()
    })

    test('whoever from Prolific is screened out without a code is told so, and has a way back', async () => {
      const study = await openStudy(world(), {
        name: 'Screened',
        states: [
          {
            id: 's1',
            components: [],
            next: [{ to: 'end', outcome: 'SCREENED_OUT' }],
          },
        ],
        completion: { codes: { SUCCESS: 'SLEEP-1' } },
        recruiting: { prolific: {} },
      })
      const { page, leave } = await createPersonWithBrowser(browser())
      await page.goto(`${study.link}?PROLIFIC_PID=screened`)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByText('You are not eligible to continue with this study.').waitFor()
      await page.getByText('There is no completion code for this.').waitFor()
      const back = page.getByRole('link', { name: 'Go to Prolific' })
      expect(await back.getAttribute('href')).toBe('https://app.prolific.com/submissions')
      await leave()
    })

    test('a link to no study, a closed study or a full study says so', async () => {
      const study = await openStudy(world(), { ...survey, capacity: 1 })
      const first = await createPersonWithBrowser(browser())
      await first.page.goto(study.link)
      await first.page.getByRole('button', { name: 'I agree' }).waitFor()
      const { page, leave } = await createPersonWithBrowser(browser())
      await page.goto(study.link)
      await page.getByRole('heading', { name: 'This study is full' }).waitFor()
      await study.researcher.setStatus(study.experimentId, 'closed')
      await page.goto(study.link)
      await page.getByRole('heading', { name: 'This study is not open' }).waitFor()
      await page.goto(`${world().front().http}/join/exp_nothing`)
      await page.getByRole('heading', { name: 'Study not found' }).waitFor()
      await page.goto(`${world().front().http}/jion/exp_nothing`)
      await page.getByRole('heading', { name: 'Page not found' }).waitFor()
      await first.leave()
      await leave()
    })

    test.each([
      ['in a room', withoutConsent, 'How it works'],
      ['while waiting', pair, 'Waiting for other participants'],
    ])(
      'a second tab takes over, and the first can take over again, %s',
      async (_where, definition, heading) => {
        const study = await openStudy(world(), definition)
        const { page, context, leave } = await createPersonWithBrowser(browser())
        await page.goto(study.link)
        await page.getByRole('heading', { name: heading }).waitFor()
        const other = await context.newPage()
        await other.goto(study.link)
        await other.getByRole('heading', { name: heading }).waitFor()
        await page.getByRole('heading', { name: 'The study is open in another tab' }).waitFor()
        await page.getByRole('button', { name: 'Continue here' }).click()
        await page.getByRole('heading', { name: heading }).waitFor()
        await other.getByRole('heading', { name: 'The study is open in another tab' }).waitFor()
        await leave()
      },
    )

    test('the contract’s page of a room leads back into the study', async () => {
      const { consent: _none, ...direct } = survey
      const study = await openStudy(world(), direct)
      const { page, leave } = await createPersonWithBrowser(browser())
      const joined = page.waitForResponse((response) => response.url().endsWith('/api/v4/participant/join'))
      await page.goto(study.link)
      const { data } = (await (await joined).json()) as { data: { roomId: string } }
      await page.getByRole('heading', { name: 'How it works' }).waitFor()
      await page.goto(`${world().front().http}/experiment/${data.roomId}`)
      await page.getByRole('heading', { name: 'How it works' }).waitFor()
      expect(new URL(page.url()).searchParams.get('roomId')).toBe(data.roomId)
      await leave()
    })

    test('what is typed is sent before a deadline ends the state', async () => {
      const study = await openStudy(world(), {
        name: 'Quick',
        states: [
          // However long the page takes to load, the deadline is then still to come.
          { id: 'begin', components: [component('hello', 'text', { text: 'Hello.' })] },
          {
            id: 'timed',
            components: [component('word', 'text_input', { label: 'A word' })],
            end: { on: 'timed', afterMs: 4_000 },
          },
        ],
        completion: { codes: { SUCCESS: 'QUICK' } },
      })
      const { page, leave } = await createPersonWithBrowser(browser())
      await page.goto(study.link)
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('A word').fill('harbour')
      await page.getByText('QUICK', { exact: true }).waitFor()
      await waitUntil(
        async () =>
          (await study.exported()).some(({ data }) => data.value === 'harbour') || 'the word is not stored',
      )
      await leave()
    })
  },
  { router: true, web: true },
)
