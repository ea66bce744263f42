import { describeInBothModes, type World } from '@atrium/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { example } from '../example.ts'
import { openStudy } from '../people.ts'
import { arrive } from './arrive.ts'
import type { TestBrowser } from './browser-window.ts'
import { tellDisturbedGame } from './disturbed-game.ts'
import { exampleStories } from './examples.ts'
import { type Language, languages } from './words.ts'

const everyExample = Object.keys(exampleStories).flatMap((name) =>
  languages.map((language) => [name, language] as const),
)

/** Registers the stories of the participants for a browser, embedded and behind the router on two instances. */
export function tellStoriesIn(name: string, openBrowser: () => Promise<TestBrowser>): void {
  describeInBothModes(
    `in ${name}`,
    (world) => {
      let browser: TestBrowser
      beforeAll(async () => {
        browser = await openBrowser()
      })
      afterAll(() => browser?.close())

      test.each(everyExample)('%s in %s, from the link to the code', async (name, language) => {
        await tellExample(world(), browser, name, language)
      })

      test('public goods for four: one reloads, one leaves, one is offline for ten seconds', async () => {
        await tellDisturbedGame(world(), browser)
      })
    },
    { router: true, web: true },
  )
}

async function tellExample(
  world: World,
  browser: TestBrowser,
  name: string,
  language: Language = 'en',
): Promise<void> {
  const story = exampleStories[name]
  if (!story) throw new Error(`no story of ${name}`)
  const { link } = await openStudy(world, { ...example(name), languages: [language] })
  const people = await arrive(browser, link, story.roles, language)
  await story.play(people)
  for (const person of people) {
    await person.sees(story.code)
    expect(await person.window.read(() => document.documentElement.lang, undefined)).toBe(language)
    expect(person.window.errors).toEqual([])
    await person.window.close()
  }
}
