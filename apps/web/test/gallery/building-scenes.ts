import { example } from '../example.ts'
import { component } from '../studies.ts'
import type { Scene, Visit } from './visit.ts'

/** A researcher in the builder, with an example that has roles and branches. */
async function inBuilder(visit: Visit, study = example('negotiation')) {
  const { experimentId } = await visit.openStudy(study)
  const page = await visit.researcherAt(`experiments/${experimentId}/definition`)
  await page.frameLocator('iframe[title="Preview of the page"]').getByRole('heading').first().waitFor()
  return page
}

export const buildingScenes: readonly Scene[] = [
  {
    name: 'console-new',
    title: 'A new study',
    async reach(visit) {
      const page = await visit.researcherAt('new')
      await page.getByLabel('Name of the study').waitFor()
      return page
    },
  },
  { name: 'console-builder', title: 'The builder', reach: (visit) => inBuilder(visit) },
  {
    name: 'console-component',
    title: 'The list of components',
    async reach(visit) {
      const page = await inBuilder(visit)
      await page.getByRole('button', { name: 'Add a component' }).click()
      await page.getByRole('dialog').getByText('Slider').waitFor()
      return page
    },
  },
  {
    name: 'console-section',
    title: 'A part of the study without settings',
    async reach(visit) {
      const page = await inBuilder(visit)
      await page.getByRole('button', { name: 'Conditions and blocks' }).click()
      await page.getByText('Everyone goes through the same states').waitFor()
      return page
    },
  },
  {
    name: 'console-problems',
    title: 'Problems, at their fields and in a list',
    async reach(visit) {
      const page = await inBuilder(visit)
      await page.getByLabel('End', { exact: true }).selectOption({ label: 'media ended' })
      await page.getByText('to fix before you can publish').first().waitFor()
      return page
    },
  },
  {
    name: 'console-flow',
    title: 'The flow of a study',
    async reach(visit) {
      const page = await inBuilder(visit)
      await page.getByText('Flow', { exact: true }).click()
      await page.getByRole('region', { name: 'Flow of the study' }).getByRole('button').first().waitFor()
      return page
    },
  },
  {
    name: 'console-code',
    title: 'The code of a study',
    async reach(visit) {
      const page = await inBuilder(visit)
      await page.getByText('Code', { exact: true }).click()
      await page.getByLabel('Definition (JSON)').getByText('"states"').waitFor()
      return page
    },
  },
  {
    name: 'console-video',
    title: 'The choice of a video',
    async reach(visit) {
      const video = component('film', 'video', { src: '/examples/film.mp4' })
      const page = await inBuilder(visit, {
        name: 'A video',
        states: [{ id: 'watch', name: 'Watch', components: [video] }],
      })
      await page.getByRole('button', { name: /^▸ Video|^Video/ }).click()
      await page.getByRole('button', { name: 'Choose an uploaded video' }).click()
      await page.getByText('Nothing has been uploaded yet.').waitFor()
      return page
    },
  },
  {
    name: 'console-try',
    title: 'Trying a draft',
    async reach(visit) {
      const page = await inBuilder(visit)
      await page.getByRole('button', { name: 'Try it' }).click()
      for (const role of ['Buyer', 'Seller'])
        await page.frameLocator(`iframe[title="Page of ${role}"]`).getByRole('heading').first().waitFor()
      return page
    },
  },
]
