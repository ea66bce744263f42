import type { ExperimentDefinition } from '@atrium/contract'
import { describeInOneMode } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { beginStudy, outlineOf, writeDefinition } from './builder.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const ring: ExperimentDefinition = {
  name: 'A ring',
  matching: { groupSize: 3 },
  network: { kind: 'edges', edges: [[1, 2]] },
  states: [{ id: 'wait', components: [{ id: 'hello', type: 'text', ...{ text: 'Hello.' } }] }],
}

describeInOneMode('networks in the console', (world) => {
  const browser = useBrowser()

  test('[RM257] the builder draws the network of the groups, and says what is missing for it', async () => {
    const { page } = await createPersonWithBrowser(browser(), desk)
    await signIn(page, world().front().http)
    await beginStudy(page, 'A ring')
    await writeDefinition(page, { ...ring, matching: { groupSize: 12 }, network: { kind: 'ring' } })
    await page.getByText('Build', { exact: true }).click()
    await outlineOf(page).getByRole('button', { name: 'Groups' }).click()
    await page.getByRole('img', { name: 'A network of 12 seats and 12 edges' }).waitFor()
    await expectGoodEverywhere(page, 'a network in the builder')
    const { matching: _, ...alone } = ring
    await writeDefinition(page, alone)
    await page.getByText('Build', { exact: true }).click()
    await outlineOf(page).getByRole('button', { name: 'Groups' }).click()
    await page.getByText('A network needs groups: set the number of people per room.').waitFor()
  })

  test('[RM257] the page of a room shows who is whose neighbour, as a picture and as a list', async () => {
    const study = await openStudy(world(), ring)
    const { page } = await createPersonWithBrowser(browser(), desk)
    await signIn(page, world().front().http)
    for (let person = 0; person < 3; person++) {
      const participant = await createPersonWithBrowser(browser())
      await participant.page.goto(study.link)
    }
    await page.goto(`${world().front().http}/console/experiments/${study.experimentId}/rooms`)
    await page.getByRole('link', { name: /^Room 1/ }).click()
    await page.getByRole('heading', { name: 'Network' }).waitFor()
    await page.getByRole('img', { name: 'A network of 3 seats and 1 edge' }).waitFor()
    const list = page.getByLabel('The neighbours of each')
    expect(await list.textContent()).toMatch(/P1 P2\s*P2 P1\s*P3 no neighbours/)
    await expectGoodEverywhere(page, 'a room with a network')
  })
})
