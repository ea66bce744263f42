import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExperimentDefinition } from '@atrium/contract'
import { startWorld, type World } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { component } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

const study: ExperimentDefinition = {
  name: 'Own pages',
  states: [
    {
      id: 'only',
      components: [
        component('plain', 'custom_html', { html: '<p id="text">Press it.</p><button>Go</button>' }),
        component('dressed', 'custom_html', {
          html: '<style>p { color: #222222 }</style><p id="text">Mine.</p>',
        }),
      ],
    },
  ],
}

const styleIn = (
  page: Page,
  id: string,
  selector: string,
  name: 'color' | 'backgroundColor' | 'colorScheme',
) =>
  page
    .frameLocator(`[data-component="${id}"] iframe`)
    .locator(selector)
    .evaluate((element, property) => getComputedStyle(element)[property], name)

test('a page of the study’s own without colours is light on dark where everything is; one with colours stays as it was made', async () => {
  const { link } = await openStudy(world, study)
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser())
  await page.goto(link)
  await page.frameLocator('[data-component="plain"] iframe').getByText('Press it.').waitFor()
  await page.frameLocator('[data-component="dressed"] iframe').getByText('Mine.').waitFor()
  const textOfPage = () => page.evaluate(() => getComputedStyle(document.body).color)
  const inLight = await textOfPage()
  await expect.poll(() => styleIn(page, 'plain', '#text', 'color')).toBe(inLight)
  await page.emulateMedia({ colorScheme: 'dark' })
  const inDark = await textOfPage()
  expect(inDark).not.toBe(inLight)
  await expect.poll(() => styleIn(page, 'plain', '#text', 'color')).toBe(inDark)
  // As the button of the page itself.
  const accent = await page
    .getByRole('button', { name: 'Continue' })
    .evaluate((button) => getComputedStyle(button).backgroundColor)
  expect(await styleIn(page, 'plain', 'button', 'backgroundColor')).toBe(accent)
  expect(await styleIn(page, 'dressed', '#text', 'color')).toBe('rgb(34, 34, 34)')
  expect(await styleIn(page, 'dressed', 'html', 'colorScheme')).toBe('normal')
  expect(pageErrors).toEqual([])
  await leave()
})

test('a recruiting site that frames the study frames its own pages and timelines as well', async () => {
  const timeline = [{ type: 'html-keyboard-response', stimulus: 'Now', choices: ['f'] }]
  const { link } = await openStudy(world, {
    name: 'Framed',
    states: [
      {
        id: 'only',
        components: [
          component('own', 'custom_html', { html: '<p>Press it.</p>' }),
          component('task', 'jspsych', { timeline }),
        ],
      },
    ],
  })
  const site = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end(`<iframe id="study" width="380" height="800" src="${link}"></iframe>`),
  )
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser())
  // Another host than that of the study, and so another site.
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
  const framed = page.frameLocator('#study')
  await framed.frameLocator('[data-component="own"] iframe').getByText('Press it.').waitFor()
  await framed.getByRole('button', { name: 'Start' }).click()
  await framed.frameLocator('.jspsych-frame').getByText('Now').waitFor()
  expect(pageErrors.filter((text) => text.includes('Content Security Policy'))).toEqual([])
  await leave()
  site.close()
})
