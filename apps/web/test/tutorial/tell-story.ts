import { openBrowser, startServer } from '@atrium/testkit'
import { desk, phone } from '../good-page.ts'
import { createPersonWithBrowser, type Person } from '../people.ts'
import { createHand, type Deeds, noDeeds } from './hand.ts'
import { steps } from './steps.ts'
import type { Seat, Story } from './story.ts'
import { takePicture } from './take-picture.ts'

interface ToldStep {
  title: string
  deeds: Deeds
  pictures: string[]
}

interface Listener {
  onPicture(name: string, webp: Buffer): void
  onStep(step: ToldStep): void
}

/**
 * Plays the tutorial from its first to its last step on a fresh installation, and reports what was done in each. Used
 * by the test that compares it with the page, and by the command that takes the pictures.
 */
export async function tellStory({ onPicture, onStep }: Listener): Promise<{ pageErrors: string[] }> {
  const server = await startServer({ args: ['--welcome'] })
  const browser = await openBrowser()
  try {
    let now: ToldStep = { title: '', deeds: noDeeds(), pictures: [] }
    const people: Person[] = []
    const seat = async (size: { width: number; height: number }): Promise<Seat> => {
      const person = await createPersonWithBrowser(browser, size)
      people.push(person)
      // A headless browser has no save dialog.
      await person.context.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'))
      await person.page.emulateMedia({ reducedMotion: 'reduce' })
      return { page: person.page, hand: createHand(person.page, () => now.deeds) }
    }
    const story: Story = {
      address: server.http,
      researcher: await seat(desk),
      participants: [await seat(phone), await seat(phone)],
      async picture(name, { page }, ringed) {
        await page.evaluate(() => scrollTo({ top: 0 }))
        onPicture(name, await takePicture(page, ringed))
        now.pictures.push(name)
      },
    }
    for (const [title, take] of Object.entries(steps)) {
      now = { title, deeds: noDeeds(), pictures: [] }
      await take(story)
      onStep(now)
    }
    return { pageErrors: people.flatMap(({ pageErrors }) => pageErrors) }
  } finally {
    await browser.close()
    await server.stop()
  }
}
