import { credentialRoutes, experimentRoutes } from '@atrium/contract'
import {
  createApi,
  createResearcher,
  describeInOneMode,
  type StubReply,
  startStubModelServer,
  succeeded,
} from '@atrium/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { outlineOf } from './builder.ts'
import { desk, expectGoodEverywhere } from './good-page.ts'
import { createPersonWithBrowser, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'

const drafted = {
  name: 'Sleep of students',
  states: [
    {
      id: 'sleep',
      name: 'Last night',
      components: [
        { id: 'how', type: 'likert', label: 'I slept well.' },
        { id: 'own', type: 'custom_html', html: '<p>Hello</p>' },
      ],
      next: [{ to: 'nowhere' }],
    },
    { id: 'thanks', name: 'Thank you', components: [{ id: 'bye', type: 'text', text: 'That was all.' }] },
  ],
}

describeInOneMode(
  'a study described in words',
  (world) => {
    const browser = useBrowser()
    const api = createApi(() => world().any().http)

    test('[AD2] is drafted by the researcher’s model and opens in the builder, with its problems, unpublished', async () => {
      const { server, hold } = await startDrafter()
      const { token } = await createResearcher(api, ['researcher'], 'console:ada')
      const ada = await createPersonWithBrowser(browser(), desk)
      const { page } = ada
      await signIn(page, world().front().http)
      const offer = page.getByRole('button', { name: 'Describe it in words' })
      await page.getByRole('link', { name: 'New study' }).first().click()
      await page.getByRole('button', { name: 'Import from a file' }).waitFor()
      await page.waitForLoadState('networkidle')
      expect(await offer.count(), 'offered without a credential').toBe(0)

      const { baseUrl, apiKey } = server
      const credential = { name: 'Lab', provider: 'Custom', baseUrl, apiKey, model: 'stub-model' } as const
      succeeded(await api.call(credentialRoutes.create, { token, body: credential }))
      await page.reload()
      await offer.click()
      const dialog = page.getByRole('dialog', { name: 'Describe it in words' })
      const start = dialog.getByRole('button', { name: 'Draft the study' })
      expect(await start.isDisabled()).toBe(true)
      await dialog.getByLabel('Your study').fill('Ask students how they slept, then thank them.')
      await expectGoodEverywhere(page, 'describing a study')

      // Cancelled while the model thinks: what was written stays.
      const release = hold()
      await start.click()
      await dialog.getByText('The model is drafting your study.').waitFor()
      await expectGoodEverywhere(page, 'a model drafts a study')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await start.waitFor()
      expect(await dialog.getByLabel('Your study').inputValue()).toMatch(/^Ask students/)
      release()

      await start.click()
      await outlineOf(page).getByRole('listitem').filter({ hasText: 'Last night' }).waitFor()
      await page.getByText('Left out, because only you can add it: custom_html.').waitFor()
      await page
        .getByText(/nowhere/)
        .first()
        .waitFor()
      expect(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true)
      await expectGoodEverywhere(page, 'a drafted study')

      const { experiments } = succeeded(await api.call(experimentRoutes.list, { token }))
      const [made, ...others] = experiments.filter(({ access }) => access === 'owner')
      expect(others).toEqual([])
      expect(made).toMatchObject({ name: 'Sleep of students', status: 'draft', revision: 1 })
      const experimentId = made?.experimentId ?? ''
      const read = await api.call(experimentRoutes.read, { token, params: { experimentId } })
      expect(succeeded(read)).toMatchObject({
        isPublished: false,
        definition: { states: [{ components: [] }] },
      })
      expect(ada.pageErrors).toEqual([])
      await ada.leave()
    })
  },
  { router: true, web: true },
)

/** A model that always drafts the same; while it is held, nothing is answered. */
async function startDrafter() {
  let held: Promise<void> | undefined
  const server = await startStubModelServer({
    async onCompletion({ tools = [] }, answer) {
      await held
      const isChoice = 'types' in Object(tools[0]?.function.parameters?.properties)
      return calling(answer, isChoice ? { types: ['likert', 'text'] } : { definition: drafted })
    },
  })
  onTestFinished(server.stop)
  return {
    server,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = undefined
        resolve()
      }
    },
  }
}

function calling(answer: StubReply, given: object): StubReply {
  const body = JSON.parse(JSON.stringify(answer.body), (name, value) =>
    name === 'arguments' ? JSON.stringify(given) : value,
  )
  return { ...answer, body }
}
