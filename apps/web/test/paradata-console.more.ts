import { experimentRoutes } from '@atrium/contract'
import { createApi, createResearcher, describeInOneMode, succeeded } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { builder } from '../src/text/en/console-builder.ts'
import { launch } from '../src/text/en/console-launch.ts'
import { codeOf, outlineOf } from './builder.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { survey } from './studies.ts'

const words = builder.builder.form.sets.paradata ?? {}
const [paste, network] = ['paste', 'network'].map((kind) => words[kind]?.label ?? 'missing')
const { consent: _asked, ...withoutConsent } = survey

describeInOneMode('paradata in the console', (world) => {
  const browser = useBrowser()

  test('[R93] what the page measures is chosen in the builder, and the checklist says whether people are told', async () => {
    const api = createApi(() => world().any().http)
    const researcher = await createResearcher(api, ['researcher'], 'console:ada')
    const { token } = researcher
    const { experimentId } = succeeded(
      await api.call(experimentRoutes.create, { token, body: withoutConsent }),
    )
    const { page, pageErrors, leave } = await createPersonWithBrowser(browser(), desk)
    await signIn(page, world().front().http)
    const open = (tab: string) =>
      page.goto(`${world().front().http}/console/experiments/${experimentId}/${tab}`)
    await open('definition')
    await outlineOf(page).getByRole('button', { name: 'Consent' }).click()
    const boxes = page.getByRole('group', { name: 'What the page measures' })
    await boxes.getByRole('checkbox', { name: network ?? '' }).check()
    await boxes.getByRole('checkbox', { name: paste ?? '' }).check()
    await boxes.getByText(words.paste?.meaning ?? 'missing').waitFor()
    await expectGoodEverywhere(page, 'what the page measures')
    await page.getByText('Code', { exact: true }).click()
    await codeOf(page).getByText('"paradata"').waitFor()
    const written = async () => JSON.parse((await codeOf(page).textContent()) ?? '').paradata
    expect(await written()).toEqual(['paste', 'network'])
    for (const _box of [paste, network]) await page.getByRole('button', { name: 'Undo' }).click()
    await codeOf(page).getByText('"paradata"').waitFor({ state: 'detached' })
    for (const _box of [paste, network]) await page.getByRole('button', { name: 'Redo' }).click()
    await page.getByText('Draft saved').waitFor()

    await open('overview')
    const names = 'pasting, network.'
    await page.getByText(`${launch.launch.items.paradata.open} ${names}`).waitFor()
    await open('definition')
    await outlineOf(page).getByRole('button', { name: 'Consent' }).click()
    await page.getByRole('button', { name: '+ Consent' }).click()
    await page.getByLabel('Text', { exact: true }).fill('Do you agree?')
    await page.getByText('Draft saved').waitFor()
    await open('overview')
    await page.getByText(`${launch.launch.items.paradata.done} ${names}`).waitFor()
    await expectGoodEverywhere(page, 'the checklist')
    expect(pageErrors).toEqual([])
    await leave()
  })
})
