import type { Seat, Steps } from './story.ts'

const outlineOf = ({ page, hand }: Seat) =>
  hand.within(page.getByRole('navigation', { name: 'Outline of the study' }))
const dialogOf = ({ page, hand }: Seat) => hand.within(page.getByRole('dialog'))

async function addComponent(seat: Seat, name: string): Promise<void> {
  await seat.hand.press('Add a component')
  await dialogOf(seat).pressWhatBegins(name)
}

const settled = async ({ hand }: Seat): Promise<void> => {
  await hand.sees('Draft saved')
  await hand.sees('No problems found')
}

/** From the first page of a fresh installation to a study that was tried out. */
export const buildingSteps: Steps = {
  async 'Start Atrium'({ address, researcher, picture }) {
    const { page, hand } = researcher
    await page.goto(address)
    await hand.sees('Public goods')
    await picture('start', researcher, [page.getByRole('link', { name: 'For researchers' })])
    await hand.press('For researchers')
    await hand.write('Name', 'Ada')
    await hand.press('Sign in')
    await hand.sees('Studies')
  },

  async 'Begin with an empty page'({ researcher, picture }) {
    const { page, hand } = researcher
    await hand.press('New study')
    await hand.write('Name of the study', 'Two heads')
    await hand.pressWhatBegins('Blank')
    await picture('new', researcher, [
      page.getByLabel('Name of the study'),
      page.getByRole('button', { name: 'Create', exact: true }),
    ])
    await hand.press('Create')
    await hand.sees('Draft saved')
  },

  async 'Write the first page'({ researcher, picture }) {
    const { page, hand } = researcher
    await hand.write('Name', 'Welcome')
    await addComponent(researcher, 'Text')
    await hand.write('Text', 'You will meet another person. Talk it over, then answer on your own.')
    await page.frameLocator('iframe').getByText('You will meet another person.').waitFor()
    await settled(researcher)
    await picture('first-page', researcher)
  },

  async 'Add a page where people talk'({ researcher, picture }) {
    const { page, hand } = researcher
    await outlineOf(researcher).press('Add a state')
    await hand.sees('New state')
    await hand.write('Name', 'Talk')
    await hand.press('Add a component')
    await picture('picker', researcher)
    await dialogOf(researcher).pressWhatBegins('Chat')
    await addComponent(researcher, 'Slider')
    await hand.write('Question', 'What share of all people live in Asia?')
    await hand.write('Low-end label', 'nobody')
    await hand.write('High-end label', 'everybody')
    await page.frameLocator('iframe').getByText('What share of all people').waitFor()
    await settled(researcher)
    await picture('talk', researcher)
  },

  async 'Bring two people together'({ researcher, picture }) {
    const { page, hand } = researcher
    await outlineOf(researcher).press('Groups')
    await hand.press('+ Matching')
    await hand.write('The same in every room', '2')
    await settled(researcher)
    await picture('groups', researcher, [page.getByLabel('The same in every room')])
  },

  async 'Ask for consent and hand out a code'({ researcher, picture }) {
    const { hand } = researcher
    await outlineOf(researcher).press('Consent')
    await hand.press('+ Consent')
    await hand.write('Text', 'I take part of my own free will, and I can stop at any time.')
    await outlineOf(researcher).press('Completion')
    await hand.press('+ Completion')
    await hand.press('+ Codes')
    await hand.press('Add to codes')
    await hand.write('Value of SUCCESS', 'TWOHEADS')
    await settled(researcher)
    await picture('code', researcher)
  },

  async 'Try it'({ researcher, picture }) {
    const { page, hand } = researcher
    await hand.press('Try it')
    const panes = [1, 2].map((number) =>
      hand.within(page.frameLocator(`iframe[title="Page of Person ${number}"]`)),
    )
    for (const pane of panes) await pane.press('I agree')
    for (const pane of panes) await pane.press('Continue')
    for (const pane of panes) await pane.sees('What share of all people live in Asia?')
    const [first, second] = panes
    await first?.write('Your message', 'Hello, is anybody there?')
    await first?.press('Send')
    await second?.sees('Hello, is anybody there?')
    await picture('try', researcher)
    await hand.press('Close')
  },

  async Publish({ researcher, picture }) {
    const { page, hand } = researcher
    await hand.press('Publish')
    await hand.sees('Published as revision 2')
    await hand.sees('Revision 2, as published.')
    await picture('published', researcher, [page.getByText('Revision 2, as published.')])
  },
}
