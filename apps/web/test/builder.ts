import type { Page } from 'playwright-core'

/** Makes a study from the empty page, which then is open in the builder. */
export async function beginStudy(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'New study' }).first().click()
  await page.getByLabel('Name of the study').fill(name)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await outlineOf(page).waitFor()
}

export const outlineOf = (page: Page) => page.getByRole('navigation', { name: 'Outline of the study' })

export const codeOf = (page: Page) => page.getByLabel('Definition (JSON)')

/** Replaces the whole definition in the code view. */
export async function writeDefinition(page: Page, definition: unknown): Promise<void> {
  if (!(await codeOf(page).isVisible())) await page.getByText('Code', { exact: true }).click()
  await codeOf(page).fill(JSON.stringify(definition, null, 2))
}

/** Publishes once the platform has found nothing wrong. */
export const publish = (page: Page) => page.getByRole('button', { name: 'Publish', exact: true }).click()
