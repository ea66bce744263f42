import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ExperimentDefinition } from '@atrium/contract'
import { describeInOneMode } from '@atrium/testkit'
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'

const example = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../examples/own-page/${name}`, import.meta.url)), 'utf8')
const definition: ExperimentDefinition = JSON.parse(example('study.json'))

/** A researcher's own site. The page on it names the platform, as its comment says. */
async function startSite(platform: () => string) {
  const site = createServer((_request, response) => {
    const page = example('index.html').replace("const platform = ''", `const platform = '${platform()}'`)
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  await once(site.listen(0, '127.0.0.1'), 'listening')
  afterAll(() => void site.close())
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

// Before the platform, which is told about the first of them when it starts.
let platform = ''
const listed = await startSite(() => platform)
const stranger = await startSite(() => platform)

async function answerAll(page: Page): Promise<string | null> {
  await page.getByText('Your answer is stored without your name.').waitFor()
  await page.getByRole('button', { name: 'I agree' }).click()
  await page.getByLabel('How do you feel right now?').fill('73')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Your code is').waitFor()
  return await page.locator('#code').textContent()
}

describeInOneMode(
  'a researcher’s own page with the served SDK',
  (world) => {
    const browser = useBrowser()

    test.each([
      ['another site that is listed', () => `${listed}/`],
      ['the platform itself', () => `${world().front().http}/examples/own-page.html`],
    ])('from the link to the code, on %s', async (_where, address) => {
      platform = world().front().http
      const study = await openStudy(world(), definition)
      const { page, pageErrors, leave } = await createPersonWithBrowser(browser())
      await page.goto(`${address()}?study=${study.experimentId}&PROLIFIC_PID=p-1`)
      expect(await answerAll(page)).toBe('SCALE-DONE')
      const lines = await study.exported()
      expect(lines.find(({ type }) => type === 'component_response')).toMatchObject({
        componentId: 'mood',
        data: { value: 73, responseTime: expect.any(Number) },
      })
      expect(lines.some(({ type }) => type === 'consent_given')).toBe(true)
      expect(pageErrors).toEqual([])
      await leave()
    })

    test('a site that is not listed loads the SDK, but reaches nothing', async () => {
      platform = world().front().http
      const study = await openStudy(world(), definition)
      const { page, pageErrors, leave } = await createPersonWithBrowser(browser())
      await page.goto(`${stranger}/?study=${study.experimentId}`)
      await page.getByText('This study cannot be reached.').waitFor()
      expect(pageErrors.join()).toContain('blocked by CORS policy')
      await leave()
    })
  },
  { env: { PAGE_ORIGINS: listed }, router: true, web: true },
)
