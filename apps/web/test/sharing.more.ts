import { describeInOneMode } from '@atrium/testkit'
import { expect, test } from 'vitest'
import { createPersonWithBrowser, openStudy, useBrowser } from './people.ts'
import { signIn } from './sign-in.ts'
import { survey } from './studies.ts'

const desk = { width: 1_280, height: 860 }

describeInOneMode(
  '[R37] two researchers in the console',
  (world) => {
    const browser = useBrowser()

    test('a study is invisible to others until it is shared, and then limited to the given access', async () => {
      const address = world().front().http
      const { experimentId, link } = await openStudy(world(), survey)
      const study = `${address}/console/experiments/${experimentId}`
      const participant = await createPersonWithBrowser(browser())
      await participant.page.goto(link)
      await participant.page.getByRole('button', { name: 'I agree' }).waitFor()
      const [ada, ben] = [
        await createPersonWithBrowser(browser(), desk),
        await createPersonWithBrowser(browser(), desk),
      ]
      await signIn(ada.page, address)
      await signIn(ben.page, address, { name: 'Ben' })
      const isListed = async () => {
        await ben.page.goto(`${address}/console`)
        await ben.page
          .getByText(/^(\d+ stud(y|ies)|No studies yet)$/)
          .first()
          .waitFor()
        return (await ben.page.getByRole('link', { name: survey.name }).count()) > 0
      }
      const notFound = ben.page.getByRole('heading', { name: 'Study not found' })

      expect(await isListed()).toBe(false)
      await ben.page.goto(study)
      await notFound.waitFor()

      await ada.page.goto(`${study}/rooms`)
      const room = ada.page.getByRole('link', { name: /^room_/ }).first()
      const roomAddress = address + ((await room.getAttribute('href')) ?? '')
      await ben.page.goto(roomAddress)
      await ben.page.getByRole('heading', { name: 'Room not found' }).waitFor()

      await ada.page.getByRole('tab', { name: 'Sharing' }).click()
      await ada.page.getByText('Not shared with anyone').waitFor()
      const share = async (user: string) => {
        await ada.page.getByLabel('Share with').fill(user)
        await ada.page.keyboard.press('Enter')
      }
      await share('ben@')
      await ada.page.getByText('This is not an e-mail address.').waitFor()
      await share('Ben')
      const benMay = ada.page.getByLabel('Access of console:ben')
      await benMay.waitFor()

      expect(await isListed()).toBe(true)
      await ben.page.getByText('Shared with you: view only').first().waitFor()
      await ben.page.goto(study)
      await ben.page.getByText('View only', { exact: true }).waitFor()
      await ben.page.getByText('People can join.').waitFor()
      expect(await ben.page.getByRole('button', { name: 'Pause recruiting' }).count()).toBe(0)
      expect(await ben.page.getByRole('tab', { name: 'Sharing' }).count()).toBe(0)
      expect(await ben.page.getByRole('tab', { name: 'Participants' }).count()).toBe(0)
      await ben.page.goto(`${study}/participants`)
      await ben.page.getByText('Only the owner of the study and administrators can see it.').waitFor()
      await ben.page.goto(`${study}/sharing`)
      await ben.page.getByText('can see and change whom it is shared with').waitFor()
      await ben.page.getByRole('tab', { name: 'Definition' }).click()
      await ben.page.getByText('You can look at it, but not change it.').waitFor()
      expect(await ben.page.getByLabel('Id of the state').isDisabled()).toBe(true)
      expect(await ben.page.getByRole('button', { name: 'Publish', exact: true }).count()).toBe(0)
      await ben.page.goto(roomAddress)
      await ben.page.getByText('Only people with edit access can control it.').waitFor()
      expect(await ben.page.getByRole('group', { name: 'Control the room' }).count()).toBe(0)

      await ben.page.goto(study)
      await ben.page.getByRole('button', { name: 'Make a copy' }).click()
      await ben.page.getByRole('heading', { name: `${survey.name} (copy)` }).waitFor()
      await ben.page.getByRole('tab', { name: 'Sharing' }).waitFor()

      await benMay.selectOption('edit')
      await ada.page.getByText('The access of console:ben has been changed.').waitFor()
      await ben.page.goto(study)
      await ben.page.getByRole('button', { name: 'Pause recruiting' }).click()
      await ben.page.getByText('paused', { exact: true }).first().waitFor()
      expect(await ben.page.getByRole('tab', { name: 'Sharing' }).count()).toBe(0)
      expect(await ben.page.getByRole('tab', { name: 'Participants' }).count()).toBe(0)

      await ada.page.getByRole('button', { name: 'Stop sharing with console:ben' }).click()
      await ada.page.getByText('Not shared with anyone').waitFor()
      await ben.page.goto(study)
      await notFound.waitFor()
      expect(ada.pageErrors).toEqual([])
      await Promise.all([ada, ben, participant].map(({ leave }) => leave()))
    })
  },
  { router: true, web: true },
)
