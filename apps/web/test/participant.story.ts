import { describeInOneMode } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { pair, survey } from './studies.ts'

describeInOneMode(
  'a participant’s pages',
  (world) => {
    const browser = useBrowser()

    test('from the link to the code: consent, a check, questions with the keyboard, and everything in the export', async () => {
      const study = await openStudy(world(), survey)
      const { page, pageErrors, leave } = await createPersonWithBrowser(browser())
      await page.goto(`${study.link}?PROLIFIC_PID=p-1&STUDY_ID=s-1`)
      await page.getByRole('button', { name: 'I agree' }).click()
      await page.getByRole('button', { name: 'Go to the questions' }).click()
      await page.getByLabel('0', { exact: true }).check()
      await page.getByRole('button', { name: /check/i }).click()
      await page
        .getByText(/attempts? left|try again/i)
        .first()
        .waitFor()
      await page.getByLabel('100', { exact: true }).check()
      await page.getByRole('button', { name: /check|again/i }).click()
      // The study goes on only when they have read how they did.
      await page.getByText('✓ All answers are correct.').waitFor()
      await page.getByRole('button', { name: 'Continue' }).click()

      await page.getByRole('heading', { name: 'Two questions' }).waitFor()
      expect(await page.title()).toBe('Sleep and mood')
      await page.getByRole('button', { name: 'Continue' }).click()
      expect(await page.getByText('Please answer this question.').count()).toBe(2)
      await page.getByRole('slider').focus()
      await page.keyboard.press('End')
      await page.keyboard.press('ArrowLeft')
      await page.getByLabel('well').focus()
      await page.keyboard.press('Space')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('button', { name: 'Finish' }).click()
      await page.getByText('SLEEP-1').waitFor()

      const lines = await study.exported()
      const answers = Object.fromEntries(
        lines
          .filter(({ type }) => type === 'component_response')
          .map((line) => [line.componentId, line.data]),
      )
      expect(answers).toMatchObject({
        check: { value: { answers: { top: '100' } } },
        mood: { value: 99, responseTime: expect.any(Number) },
        sleep: { value: 'well' },
      })
      expect(lines.filter(({ componentId }) => componentId === 'check')).toHaveLength(2)
      expect(lines.some(({ type }) => type === 'consent_given')).toBe(true)

      // After a reload people see the code again, and cannot start again.
      await page.reload()
      await page.getByText('SLEEP-1').waitFor()
      expect(pageErrors.filter((error) => !error.includes('409'))).toEqual([])
      await leave()
    })

    test('[R38] consent is stored before the study continues, and not asked for again on another device', async () => {
      const study = await openStudy(world(), survey)
      const link = `${study.link}?PROLIFIC_PID=two-devices`
      const [one, other] = [
        await createPersonWithBrowser(browser()),
        await createPersonWithBrowser(browser()),
      ]
      await one.page.goto(link)
      await one.page.getByRole('heading', { name: 'Before you begin' }).waitFor()
      await one.page.reload()
      await one.page.getByRole('button', { name: 'I agree' }).click()
      await one.page.getByRole('heading', { name: 'How it works' }).waitFor()
      expect((await study.exported()).filter(({ type }) => type === 'consent_given')).toHaveLength(1)
      await other.page.goto(link)
      await other.page.getByRole('heading', { name: 'How it works' }).waitFor()
      await one.leave()
      await other.leave()
    })

    test('a reload loses nothing, neither what was sent nor what was typed', async () => {
      const { consent: _none, ...direct } = survey
      const study = await openStudy(world(), { ...direct, states: direct.states.slice(1) })
      const { page, leave } = await createPersonWithBrowser(browser())
      await page.goto(study.link)
      await page.getByLabel(/Why\?/).fill('I slept on a train')
      await page.getByLabel('badly').check()
      await page.reload()
      await page.getByText('Two questions').waitFor()
      expect(await page.getByLabel(/Why\?/).inputValue()).toBe('I slept on a train')
      expect(await page.getByLabel('badly').isChecked()).toBe(true)
      await page.getByRole('slider').focus()
      await page.keyboard.press('Home')
      await page.getByRole('button', { name: 'Continue' }).click()
      await page.getByRole('heading', { name: 'Thank you' }).waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Finish' }).click()
      await page.getByText('SLEEP-1').waitFor()
      const values = (await study.exported()).flatMap(({ type, data }) =>
        type === 'component_response' ? [data.value] : [],
      )
      expect(values.toSorted()).toEqual([0, 'I slept on a train', 'badly'].toSorted())
      await leave()
    })

    test('two people wait, meet, talk and continue together', async () => {
      const study = await openStudy(world(), pair)
      const [ann, ben] = await Promise.all([
        createPersonWithBrowser(browser()),
        createPersonWithBrowser(browser(), { width: 1_100 }),
      ])
      await ann.page.goto(study.link)
      await ann.page.getByText('We’re waiting for one more person.').waitFor()
      // A room that was assigned while the page was closed is found after a reload.
      await ann.page.reload()
      await ann.page.getByText('We’re waiting for one more person.').waitFor()
      await ben.page.goto(study.link)
      for (const { page } of [ann, ben])
        await page.getByRole('heading', { name: 'Agree on a number' }).waitFor()
      await ann.page.getByLabel('Your message').fill('Shall we say 7?')
      await ann.page.getByRole('button', { name: 'Send' }).click()
      await ben.page.getByText('Shall we say 7?').waitFor()
      expect(await ben.page.getByText('Saved.').count()).toBe(0)
      // A message that is only half typed survives a reload.
      await ben.page.getByLabel('Your message').fill('I would rather')
      await ben.page.reload()
      await ben.page.getByText('Shall we say 7?').waitFor()
      expect(await ben.page.getByLabel('Your message').inputValue()).toBe('I would rather')
      await ann.page.getByLabel('Your number').fill('7')
      await ann.page.getByRole('button', { name: 'Submit' }).click()
      await ann.page.getByText('Saved. The study will continue when everyone is ready.').waitFor()
      await ben.page.getByLabel('Your number').fill('70')
      await ben.page.getByRole('button', { name: 'Submit' }).click()
      await ben.page.getByText('Please enter a number from 1 to 9.').waitFor()
      await ben.page.getByLabel('Your number').fill('7')
      await ben.page.getByRole('button', { name: 'Submit' }).click()
      for (const { page } of [ann, ben]) {
        await page.getByRole('button', { name: 'Continue' }).click()
      }
      for (const { page, pageErrors, leave } of [ann, ben]) {
        await page.getByText('PAIR', { exact: true }).waitFor()
        expect(pageErrors).toEqual([])
        await leave()
      }
    })
  },
  { router: true, web: true },
)
