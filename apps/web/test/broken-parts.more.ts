import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { component, pair } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

test('a component that fails in a browser does not stop the study, and the researcher learns of it', async () => {
  const study = await openStudy(world, {
    name: 'Half broken',
    states: [
      {
        id: 's1',
        name: 'Here',
        components: [
          component('earned', 'payoff', { variable: 'earned' }),
          component('word', 'text_input', { label: 'A word' }),
        ],
      },
    ],
    variables: { earned: 3 },
    completion: { codes: { SUCCESS: 'STILL-WORKS' } },
  })
  const { page, leave } = await createPersonWithBrowser(browser())
  await page.addInitScript(() => Reflect.deleteProperty(Intl, 'NumberFormat'))
  await page.goto(study.link)
  await page.getByText('This part of the study cannot be shown.').waitFor()
  await page.getByLabel('A word').fill('harbour')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('STILL-WORKS').waitFor()
  expect((await study.exported()).find(({ type }) => type === 'view_failed')).toMatchObject({
    componentId: 'earned',
    data: { message: 'Intl.NumberFormat is not a constructor' },
  })
  await leave()
})

test('a part of the console that a new version has replaced is reported, and reloading helps', async () => {
  const study = await openStudy(world, pair)
  const { page, leave } = await createPersonWithBrowser(browser(), { width: 1_200, height: 800 })
  const address = world.front().http
  await signIn(page, address)
  await page.route('**/assets/matching-tab-*', (route) => route.abort())
  await page.goto(`${address}/console/experiments/${study.experimentId}/matching`)
  await page.getByRole('heading', { name: 'This page has stopped working' }).waitFor()
  await page.unroute('**/assets/matching-tab-*')
  await page.getByRole('button', { name: 'Reload the page' }).click()
  await page.getByText('Dry run').first().waitFor()
  await leave()
})
