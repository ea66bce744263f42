import { startWorld, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { pair } from './studies.ts'

const browser = useBrowser()
let world: World
beforeAll(async () => {
  world = await startWorld('embedded')
})
afterAll(() => world?.stop())

/** A page whose errors are collected, including violations of its content security policy. */
async function openQuietly() {
  const person = await createPersonWithBrowser(browser(), { width: 1_280, height: 860 })
  await person.context.addInitScript(() =>
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`${violatedDirective} refused ${blockedURI}`),
    ),
  )
  return person
}

test.each([
  ['/', 'heading'],
  ['/join/:experimentId', 'button'],
  ['/console', 'button'],
  ['/api/docs', 'heading'],
] as const)(
  '%s loads without an error in the browser’s console',
  async (path, sign) => {
    const { experimentId } = await openStudy(world, pair)
    const { page, pageErrors, leave } = await openQuietly()
    await page.goto(world.front().http + path.replace(':experimentId', experimentId))
    await page.getByRole(sign).first().waitFor()
    expect(pageErrors).toEqual([])
    await leave()
  },
  60_000,
)

test('the console checks a definition without making code from it', async () => {
  const { experimentId } = await openStudy(world, pair)
  const { page, pageErrors, leave } = await openQuietly()
  const address = world.front().http
  await page.goto(`${address}/console`)
  await signIn(page, address)
  await page.goto(`${address}/console/experiments/${experimentId}/definition`)
  await page.getByText('Outline').first().waitFor()
  expect(pageErrors).toEqual([])
  await leave()
}, 60_000)
