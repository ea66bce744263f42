import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, type Person, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { pair } from './studies.ts'

const browser = useBrowser()
let world: World
/** With a page whose errors are collected, including violations of its content security policy. */
let person: Person
beforeAll(async () => {
  world = await startWorld('embedded')
  person = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await person.context.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`${violatedDirective} refused ${blockedURI}`),
    ),
  )
})
afterAll(async () => {
  await person?.leave()
  await world?.stop()
})
beforeEach(() => {
  person.pageErrors.length = 0
})

// The reference has a story of its own (reference.long.ts).
test.each([
  ['/', 'heading'],
  ['/join/:experimentId', 'button'],
  ['/console', 'button'],
] as const)(
  '%s loads without an error in the browser’s console',
  async (path, sign) => {
    const { experimentId } = await openStudy(world, pair)
    const { page, pageErrors } = person
    await page.goto(world.front().http + path.replace(':experimentId', experimentId))
    await page.getByRole(sign).first().waitFor()
    expect(pageErrors).toEqual([])
  },
  60_000,
)

test('the console checks a definition without making code from it', async () => {
  const { experimentId } = await openStudy(world, pair)
  const { page, pageErrors } = person
  const address = world.front().http
  await signIn(page, address)
  await page.goto(`${address}/console/experiments/${experimentId}/definition`)
  await page.getByText('What it shows').first().waitFor()
  expect(pageErrors).toEqual([])
})
