import type { ExperimentDefinition } from '@atrium/contract'
import { pages } from '../../src/text/en/participant-pages.ts'
import { component } from '../studies.ts'
import type { Scene, Visit } from './visit.ts'

const study: ExperimentDefinition = {
  name: 'Sleep and mood',
  states: [{ id: 'hello', name: 'Hello', components: [component('hi', 'text', { text: 'Welcome.' })] }],
  completion: { codes: { SUCCESS: 'SLEEP-1' } },
}

async function complete(visit: Visit, more: Partial<ExperimentDefinition> = {}) {
  const { link } = await visit.openStudy({ ...study, ...more })
  const page = await visit.someoneAt(link)
  await page.getByRole('button', { name: pages.state.continue }).click()
  await page.getByText(/You have completed the study/).waitFor()
  return page
}

/** Every way in which a study can end, or not begin. */
export const endingScenes: readonly Scene[] = [
  { name: 'done', title: 'The end, with a code', reach: (visit) => complete(visit) },
  {
    name: 'done-no-code',
    title: 'The end, without a code',
    reach: (visit) => complete(visit, { completion: {} }),
  },
  {
    name: 'withdrawal',
    title: 'Deleting one’s data asks first',
    async reach(visit) {
      const page = await complete(visit, { withdrawal: 'all' })
      await page.getByRole('button', { name: pages.done.withdrawal.ask.all }).click()
      await page.getByRole('button', { name: pages.done.withdrawal.confirm.all }).waitFor()
      return page
    },
  },
  {
    name: 'left',
    title: 'After leaving',
    async reach(visit) {
      const { link } = await visit.openStudy(study)
      const page = await visit.someoneAt(link)
      await page.getByRole('button', { name: pages.room.leave.open }).click()
      await page.getByRole('button', { name: pages.room.leave.confirm, exact: true }).click()
      await page.getByText(/You have left the study/).waitFor()
      return page
    },
  },
  {
    name: 'full',
    title: 'The study is full',
    async reach(visit) {
      const { link } = await visit.openStudy({ ...study, capacity: 1 })
      const first = await visit.someoneAt(link)
      await first.getByRole('heading', { name: 'Hello' }).waitFor()
      const page = await visit.someoneAt(link)
      await page.getByRole('heading', { name: pages.stopped.full.title }).waitFor()
      return page
    },
  },
  {
    name: 'closed',
    title: 'The study is not open',
    async reach(visit) {
      const { link, researcher, experimentId } = await visit.openStudy(study)
      await researcher.setStatus(experimentId, 'closed')
      const page = await visit.someoneAt(link)
      await page.getByRole('heading', { name: 'This study is not open' }).waitFor()
      return page
    },
  },
  {
    name: 'preview',
    title: 'The preview of a recruiting site',
    async reach(visit) {
      const { link } = await visit.openStudy({ ...study, recruiting: { mturk: {} } })
      const hit = 'workerId=w1&hitId=h1&turkSubmitTo=https%3A%2F%2Fworkersandbox.mturk.com'
      const page = await visit.someoneAt(`${link}?${hit}&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE`)
      await page.getByRole('heading', { name: pages.preview.title }).waitFor()
      return page
    },
  },
  {
    name: 'no-study',
    title: 'A link to no study',
    async reach(visit) {
      const page = await visit.someoneAt(`${visit.address}/join/exp_nothing`)
      await page.getByRole('heading', { name: 'Study not found' }).waitFor()
      return page
    },
  },
  {
    name: 'no-page',
    title: 'An address without a page',
    async reach(visit) {
      const page = await visit.someoneAt(`${visit.address}/jion`)
      await page.getByRole('heading', { name: pages.nothingHere.title }).waitFor()
      return page
    },
  },
]
