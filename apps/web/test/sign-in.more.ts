import { experimentRoutes } from '@atrium/contract'
import { createApi, type Server, startServer, succeeded } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { type Provider, startProvider } from './provider.ts'
import { survey } from './studies.ts'

const clientId = 'atrium-web'
const browser = useBrowser()
let provider: Provider
let server: Server
beforeAll(async () => {
  provider = await startProvider()
  server = await startServer({ env: { OIDC_ISSUER: provider.issuer, OIDC_AUDIENCE: clientId } })
})
afterAll(async () => {
  await server?.stop()
  provider?.stop()
})

/** A study for people who sign in; `hosted.long.ts` covers guests. */
async function openStudyHere(): Promise<string> {
  const api = createApi(server.http)
  const token = await provider.tokenFor('researcher-1', ['researcher'], clientId)
  const { experimentId } = succeeded(
    await api.call(experimentRoutes.create, { token, body: { ...survey, access: 'signed_in' } }),
  )
  const body = { status: 'recruiting' }
  succeeded(await api.call(experimentRoutes.changeStatus, { token, params: { experimentId }, body }))
  return experimentId
}

test('[R5] a participant signs in at the provider and comes back to the link; the token is kept nowhere', async () => {
  const experimentId = await openStudyHere()
  const { page, pageErrors, leave } = await createPersonWithBrowser(browser())
  provider.next = { sub: 'person-1' }
  const before = provider.visits()
  await page.goto(`${server.http}/join/${experimentId}?source=class`)
  await page.getByRole('button', { name: 'I agree' }).waitFor()
  expect(provider.visits() - before).toBe(1)
  expect(new URL(page.url()).search).toBe('?source=class')
  const kept = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]))
  expect(kept).not.toContain('eyJ')
  expect(kept).not.toContain('sess_')

  // After a reload the provider is asked again, and the same person continues.
  await page.getByRole('button', { name: 'I agree' }).click()
  await page.getByRole('heading', { name: 'How it works' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'How it works' }).waitFor()
  expect(provider.visits() - before).toBe(2)
  // The one refusal as a guest is how the page learned that it must sign in.
  expect(pageErrors.filter((error) => !error.includes('403'))).toEqual([])
  expect(pageErrors).toHaveLength(1)
  await leave()
})

test('an unsolicited response of the provider signs nobody in', async () => {
  const { page, leave } = await createPersonWithBrowser(browser())
  const before = provider.visits()
  await page.goto(`${server.http}/signed-in?code=stolen&state=guessed`)
  await page.waitForURL((url) => url.pathname !== '/signed-in')
  // The studies page asks the provider itself; the guessed response is not used.
  await page.getByRole('heading', { name: 'Studies' }).waitFor()
  expect(provider.visits() - before).toBe(1)
  await leave()
})

test('[R7] a researcher signs in to the console; people without the role are told so', async () => {
  const stranger = await createPersonWithBrowser(browser(), { width: 1_200, height: 800 })
  provider.next = { sub: 'person-2' }
  await stranger.page.goto(`${server.http}/console`)
  await stranger.page
    .getByText(/not.*researcher|no researcher/i)
    .first()
    .waitFor()
  await stranger.leave()
  await openStudyHere()
  const researcher = await createPersonWithBrowser(browser(), { width: 1_200, height: 800 })
  provider.next = { sub: 'researcher-1', roles: ['researcher'] }
  await researcher.page.goto(`${server.http}/console`)
  await researcher.page.getByText('Sleep and mood').first().waitFor()
  await researcher.leave()
})
