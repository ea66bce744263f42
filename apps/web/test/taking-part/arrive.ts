import type { TestBrowser } from './browser-window.ts'
import { type Participant, participantIn } from './participant.ts'
import { type Language, wordsIn } from './words.ts'

/** One after the other, on phones and desktops. */
export async function arrive(
  browser: TestBrowser,
  link: string,
  roles: readonly (string | undefined)[],
  language: Language = 'en',
): Promise<Participant[]> {
  const words = await wordsIn(language)
  const people: Participant[] = []
  for (const [index, role] of roles.entries()) {
    const window = await browser.openWindow({ width: index % 2 === 0 ? 390 : 1_280 })
    await window.open(role === undefined ? link : `${link}?role=${role}`)
    people.push(participantIn(window, words))
  }
  return people
}
