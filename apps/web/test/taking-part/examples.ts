import { expect } from 'vitest'
import { example } from '../example.ts'
import type { Participant } from './participant.ts'

/** How people go through an example, from the first page to the last. */
export interface ExampleStory {
  /** One for each person, in the order in which they come. */
  roles: readonly (string | undefined)[]
  play(people: readonly Participant[]): Promise<void>
  code: string
}

const each = async (people: readonly Participant[], act: (person: Participant, index: number) => unknown) => {
  for (const [index, person] of people.entries()) await act(person, index)
}
const anyone = undefined
const strings = example('lexical-decision').tables?.strings?.rows ?? []

/** By the name of the file in `examples`. */
export const exampleStories: Record<string, ExampleStory> = {
  'quick-survey': {
    roles: [anyone],
    code: 'SURVEY-DONE',
    play: (people) =>
      each(people, async (ann) => {
        await ann.agree()
        await ann.passCheck('understood', 2)
        await ann.goOn() // Once they have read how they did.
        await ann.slide('mood', 12)
        await ann.choose('sleep', 3)
        await ann.goOn()
        await ann.write('reason', 'It rains.')
        await ann.goOn()
        await ann.untilAt('bye')
        await ann.goOn()
      }),
  },

  'vignette-survey': {
    roles: [anyone],
    code: 'VIGNETTE-DONE',
    play: (people) =>
      each(people, async (ann) => {
        await ann.choose('age', 2)
        await ann.choose('hired', 1)
        await ann.goOn()
        await ann.slide('applications', 20)
        await ann.goOn()
        await ann.untilAt('story')
        await ann.goOn()
        for (const id of ['competent', 'reliable', 'likeable']) await ann.slide(id, 70)
        await ann.choose('invite', 1)
        await ann.goOn()
        for (let opinion = 1; opinion <= 2; opinion++) {
          await ann.choose('agree', 4)
          await ann.goOn()
        }
        await ann.choose('was_out_of_work', 1)
        await ann.goOn()
      }),
  },

  'survey-kinds': {
    roles: [anyone],
    code: 'KINDS-DONE',
    play: (people) =>
      each(people, async (ann) => {
        const { window } = ann
        await ann.agree()
        await ann.fillIn('moved', '2019-05-17')
        await ann.fillIn('region', 'In a city')
        await ann.choose('travels', 1)
        await ann.goOn()
        await window.focus('[data-component="budget"] li:nth-child(1) input')
        await window.type('100')
        await window.click('.best-worst-item:nth-child(2) input[name$="-best"]')
        await window.click('.best-worst-item:nth-child(3) input[name$="-worst"]')
        await window.clickButton(ann.words.views.ranking.moveUp('by the water'))
        await ann.goOn()
        await ann.chooseInEachRow('impression')
        await ann.chooseInEachRow('agree')
        await ann.choose('attention', 2)
        await ann.choose('stay', 1)
        await ann.slide('warmth', 60)
        await ann.goOn()
        // The middle of the picture, where the bus is.
        await window.click('[data-component="noticed"] [role="application"]')
        await ann.write('words', 'calm')
        await ann.goOn()
        await ann.untilAt('photo')
        await ann.goOn()
        await ann.untilAt('bye')
        await ann.goOn()
      }),
  },

  'picture-rating': {
    roles: [anyone],
    code: 'PICTURES-DONE',
    play: (people) =>
      each(people, async (ann) => {
        await ann.agree()
        for (let kind = 1; kind <= 4; kind++) {
          await ann.slide('pleasant_1', 10 * kind)
          await ann.choose('exciting_1', kind)
          await ann.slide('pleasant_2', 10 * kind + 5)
          await ann.choose('exciting_2', 7)
          await ann.goOn()
        }
        await ann.untilAt('best')
        await ann.window.clickButton(ann.words.views.ranking.moveUp('Cool and angular'))
        await ann.goOn()
      }),
  },

  stroop: {
    roles: [anyone],
    code: 'STROOP-DONE',
    play: (people) =>
      each(people, async (ann) => {
        await ann.agree()
        await ann.window.clickButton(ann.words.tasks.reaction.start)
        await ann.typeUntilAt('r', 'effort')
        await ann.choose('effort', 4)
        await ann.goOn()
      }),
  },

  'lexical-decision': {
    roles: [anyone],
    code: 'LEXICAL-DONE',
    play: (people) =>
      each(people, async (ann) => {
        await ann.agree()
        await ann.untilAt('explained')
        await ann.goOn()
        const decide = async (id: string) => {
          const shown = (await ann.text()).split(/\s+/)
          const row = strings.find(({ string }) => shown.includes(String(string)))
          await ann.choose(id, row?.correct === 'word' ? 1 : 2)
          await ann.goOn()
        }
        // All right, so the practice is over as soon as it can be.
        for (let trial = 1; trial <= 5; trial++) {
          await ann.sees(`Practice ${trial}`)
          await ann.untilAt('attempt')
          await decide('attempt')
          await ann.untilAt('verdict')
          await ann.sees('Right.')
          await ann.goOn()
        }
        await ann.untilAt('begin')
        await ann.goOn()
        for (let trial = 1; trial <= 24; trial++) {
          await ann.sees(`${trial} of 24`)
          await decide('decision')
        }
        await ann.untilAt('score')
        await ann.sees('24 of 24')
        await ann.goOn()
      }),
  },

  negotiation: {
    roles: ['buyer', 'seller'],
    code: 'NEGO-DONE',
    async play(people) {
      await each(people, (person, index) => person.untilAt(index === 0 ? 'buyer_note' : 'seller_note'))
      await each(people, (person) => person.goOn())
      const [ann, ben] = people
      await ann?.say('Would you take 95?')
      await ben?.sees('Would you take 95?')
      await each(people, (person) => person.goOn())
      await each(people, async (person) => {
        await person.slide('offer', 95)
        await person.goOn()
      })
      await each(people, async (person, index) => {
        await person.untilAt('gain')
        expect(await person.amount('gain')).toBe(index === 0 ? '25' : '15')
        await person.goOn()
      })
    },
  },

  'negotiation-with-agent': {
    roles: ['buyer'],
    code: 'NEGO-DONE',
    play: (people) =>
      each(people, async (ann) => {
        await ann.goOn()
        await ann.untilAt('chat')
        // The agent is ready to continue once it has said all it has to say.
        await ann.say('Is it still there?')
        await ann.sees('I was thinking of 110')
        await ann.say('That is too much for me.')
        await ann.sees('I could go down to 100')
        await ann.say('I can pay 100.')
        await ann.sees('let us both choose 100')
        await ann.goOn()
        await ann.slide('offer', 100)
        await ann.goOn()
        await ann.untilAt('gain')
        expect(await ann.amount('gain')).toBe('20')
        await ann.goOn()
      }),
  },

  'public-goods': {
    roles: [anyone, anyone, anyone, anyone],
    code: 'PGG-DONE',
    async play(people) {
      await each(people, (person) => person.passCheck('check', 2))
      for (let round = 1; round <= 5; round++) await playRound(people, (index) => index * 3)
      await each(people, async (person) => {
        await person.untilAt('total')
        await person.goOn()
      })
    },
  },

  'public-goods-with-agents': {
    roles: [anyone, anyone],
    code: 'PGG-DONE',
    async play(people) {
      await each(people, (person) => person.passCheck('check', 2))
      for (let round = 1; round <= 5; round++) await playRound(people, (index) => 5 + index)
      await each(people, async (person) => {
        await person.untilAt('total')
        await person.goOn()
      })
    },
  },

  'one-random-round': {
    roles: [anyone, anyone],
    code: 'ROUND-DONE',
    async play(people) {
      await each(people, async (person) => {
        await person.untilAt('explained')
        await person.goOn()
      })
      for (let round = 1; round <= 4; round++) {
        await each(people, async (person, index) => {
          await person.slide('sending', round + index)
          await person.goOn()
        })
        await each(people, (person) => person.untilAt('told'))
        await each(people, (person) => person.goOn())
      }
      await each(people, async (person) => {
        await person.untilAt('drawn')
        await person.sees('was drawn for you')
        await person.goOn()
      })
    },
  },

  'film-ratings': {
    roles: [anyone, anyone, anyone],
    code: 'FILM-DONE',
    async play(people) {
      await each(people, async (person) => {
        await person.untilAt('how_to')
        await person.goOn()
      })
      await each(people, (person) => person.startVideo())
      await each(people, (person) => person.untilAt('chat'))
      await people[0]?.say('It made me jump.')
      await each(people, (person) => person.sees('It made me jump.'))
      await each(people, (person) => person.goOn())
      await each(people, async (person) => {
        await person.choose('enjoyed', 4)
        await person.slide('closeness', 60)
        await person.goOn()
      })
    },
  },
}

/** Everyone gives, then everyone sees the results. */
export async function playRound(
  people: readonly Participant[],
  given: (index: number) => number,
): Promise<void> {
  await each(people, async (person, index) => {
    await person.slide('contribution', given(index))
    await person.goOn()
  })
  await each(people, async (person, index) => {
    await person.untilAt('earned')
    expect(await person.amount('given')).toMatch(new RegExp(`\\b${given(index)}\\b`))
  })
  await each(people, (person) => person.goOn())
}
