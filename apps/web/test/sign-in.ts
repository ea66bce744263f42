import type { Page } from 'playwright-core'

/** Signs in with the development issuer, where a name is enough. */
export async function signIn(
  page: Page,
  address: string,
  { name = 'Ada', isAdmin = false } = {},
): Promise<void> {
  await page.goto(`${address}/console`)
  await page.getByLabel('Name').fill(name)
  if (isAdmin) await page.getByLabel('Administrator').check()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Studies', exact: true }).waitFor()
}
