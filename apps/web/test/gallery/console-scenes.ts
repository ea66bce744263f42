import { example } from '../example.ts'
import type { Scene } from './visit.ts'

const plain = (name: string, title: string, path: string, sign: string, isAdmin = false): Scene => ({
  name: `console-${name}`,
  title,
  async reach(visit) {
    const page = await visit.researcherAt(path, { isAdmin })
    await page.getByText(sign).or(page.getByLabel(sign)).filter({ visible: true }).first().waitFor()
    return page
  },
})

export const consoleScenes: readonly Scene[] = [
  {
    name: 'console-sign-in',
    title: 'Signing in, on a machine of one’s own',
    async reach(visit) {
      const page = await visit.someoneAt(`${visit.address}/console`)
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      return page
    },
  },
  {
    name: 'console-experiments',
    title: 'The list of studies',
    async reach(visit) {
      const { experimentId, researcher } = await visit.openStudy(example('public-goods'))
      await researcher.setStatus(experimentId, 'paused')
      const page = await visit.researcherAt('')
      await page.getByLabel('Search').fill('public')
      await page.getByText('paused').first().waitFor()
      return page
    },
  },
  plain('media', 'Media', 'media', 'No videos yet'),
  plain('models', 'Model servers', 'agents', 'No model servers yet'),
  plain('keys', 'API keys', 'keys', 'No API keys yet'),
  plain('audit', 'The audit log, for administrators', 'audit', 'experiment_created', true),
  plain('system', 'The system, for administrators', 'system', 'Instances', true),
  plain('nowhere', 'A study that does not exist', 'experiments/exp_nowhere', 'Study not found'),
]
