import type { ExperimentDefinition } from '@atrium/contract'
import { frame } from '../../src/text/en/participant-frame.ts'
import { pages } from '../../src/text/en/participant-pages.ts'
import { views } from '../../src/text/en/participant-views.ts'
import { example } from '../example.ts'
import { pair, survey } from '../studies.ts'
import type { Scene, Visit } from './visit.ts'

const alone = { matching: { groupSize: 1 } }
const withoutConsent = ({ consent: _asked, ...study }: ExperimentDefinition): ExperimentDefinition => study
const from = (study: ExperimentDefinition, state: string): ExperimentDefinition => ({
  ...study,
  states: study.states.slice(study.states.findIndex(({ id }) => id === state)),
})
const questions = from(withoutConsent(survey), 'questions')
async function arrive(visit: Visit, study: ExperimentDefinition) {
  const { link } = await visit.openStudy(study)
  return await visit.someoneAt(link)
}

async function twoTalk(visit: Visit) {
  const { link } = await visit.openStudy(pair)
  const [ann, ben] = [await visit.someoneAt(link), await visit.someoneAt(link)]
  await ann.getByLabel(views.chat.message).fill('Shall we say 7?')
  await ann.getByRole('button', { name: views.chat.send }).click()
  await ben.getByText('Shall we say 7?').waitFor()
  await ben.getByLabel(views.chat.message).fill('I would rather have 5, because I always take it.')
  await ben.getByRole('button', { name: views.chat.send }).click()
  await ann.getByText('I would rather').waitFor()
  return { ann, ben, link }
}

const continueButton = { name: pages.state.continue }

/** Every page of a participant, in the order in which people meet them. */
export const pageScenes: readonly Scene[] = [
  {
    name: 'home',
    title: 'The studies that are open',
    async reach(visit) {
      for (const name of ['quick-survey', 'public-goods', 'negotiation']) await visit.openStudy(example(name))
      const page = await visit.someoneAt(visit.address)
      await page.getByText('Public goods').first().waitFor()
      return page
    },
  },
  {
    name: 'consent',
    title: 'Consent before the study',
    async reach(visit) {
      const page = await arrive(visit, survey)
      await page.getByRole('heading', { name: pages.consent.title }).waitFor()
      return page
    },
  },
  {
    name: 'waiting',
    title: 'The waiting room, with two of four people',
    async reach(visit) {
      const { link } = await visit.openStudy(example('public-goods'))
      const [first] = [await visit.someoneAt(link), await visit.someoneAt(link)]
      await first.getByText(frame.waitingRoom.needed(2)).first().waitFor()
      return first
    },
  },
  {
    name: 'instructions',
    title: 'Instructions',
    async reach(visit) {
      const page = await arrive(visit, withoutConsent(survey))
      await page.getByRole('button', { name: views.instructions.toQuestions }).waitFor()
      return page
    },
  },
  {
    name: 'check-wrong',
    title: 'A check with a wrong answer',
    async reach(visit) {
      const page = await arrive(visit, withoutConsent(survey))
      await page.getByRole('button', { name: views.instructions.toQuestions }).click()
      await page.getByLabel('0', { exact: true }).check()
      await page.getByRole('button', { name: views.check.submit }).click()
      await page.getByText(views.check.notRightYet).first().waitFor()
      return page
    },
  },
  {
    name: 'questions',
    title: 'Questions',
    async reach(visit) {
      const page = await arrive(visit, questions)
      await page.getByRole('heading', { name: 'Two questions' }).waitFor()
      return page
    },
  },
  {
    name: 'questions-missing',
    title: 'Questions, after an attempt to continue without answers',
    async reach(visit) {
      const page = await arrive(visit, questions)
      await page.getByRole('button', continueButton).click()
      await page.getByText(pages.problems.unanswered).first().waitFor()
      return page
    },
  },
  { name: 'talk', title: 'Two people talk', reach: async (visit) => (await twoTalk(visit)).ann },
  {
    name: 'saved',
    title: 'Answered, and waiting for the other person',
    async reach(visit) {
      const { ann } = await twoTalk(visit)
      await ann.getByLabel('Your number').fill('7')
      await ann.getByRole('button', { name: pages.state.submit }).click()
      await ann.getByText(/^Saved\./).waitFor()
      return ann
    },
  },
  {
    name: 'partner-gone',
    title: 'The other person has left',
    async reach(visit) {
      const { ann, ben } = await twoTalk(visit)
      await ben.getByRole('button', { name: pages.room.leave.open }).click()
      await ben.getByRole('button', { name: pages.room.leave.confirm, exact: true }).click()
      await ann.getByText('no longer taking part').waitFor()
      return ann
    },
  },
  {
    name: 'offline',
    title: 'Without a connection',
    async reach(visit) {
      const page = await arrive(visit, questions)
      await page.getByRole('heading', { name: 'Two questions' }).waitFor()
      await page.context().setOffline(true)
      await page.getByText(pages.room.connectionLost).waitFor()
      return page
    },
  },
  {
    name: 'leave',
    title: 'Leaving asks first',
    async reach(visit) {
      const page = await arrive(visit, questions)
      await page.getByRole('button', { name: pages.room.leave.open }).click()
      await page.getByRole('dialog').waitFor()
      return page
    },
  },
  {
    name: 'round-result',
    title: 'The result of a round',
    async reach(visit) {
      const { link } = await visit.openStudy(from(example('public-goods'), 'contribute'))
      const page = await visit.someoneAt(link)
      const others = [await visit.someoneAt(link), await visit.someoneAt(link), await visit.someoneAt(link)]
      for (const [index, person] of [page, ...others].entries()) {
        await person.getByRole('slider').focus()
        await person.keyboard.press('Home')
        for (let step = 0; step <= index; step++) await person.keyboard.press('PageUp')
        await person.getByRole('button', { name: pages.state.submit }).click()
      }
      await page.getByRole('heading', { name: 'This round' }).waitFor()
      return page
    },
  },
  {
    name: 'pictures',
    title: 'Pictures to rate',
    async reach(visit) {
      const { blocks: _ordered, ...study } = example('picture-rating')
      const page = await arrive(visit, from(study, 'warm_round'))
      await page.getByRole('img').first().waitFor()
      return page
    },
  },
  {
    name: 'rated-video',
    title: 'A video with ratings',
    async reach(visit) {
      const page = await arrive(visit, { ...from(example('film-ratings'), 'film'), ...alone })
      await page.getByRole('slider').first().waitFor()
      return page
    },
  },
  {
    name: 'second-tab',
    title: 'The study is open in another tab',
    async reach(visit) {
      const { link } = await visit.openStudy(questions)
      const page = await visit.someoneAt(link)
      await page.getByRole('heading', { name: 'Two questions' }).waitFor()
      const other = await page.context().newPage()
      await other.goto(link)
      await other.getByRole('heading', { name: 'Two questions' }).waitFor()
      await page.bringToFront()
      await page.getByRole('heading', { name: 'The study is open in another tab' }).waitFor()
      return page
    },
  },
]
