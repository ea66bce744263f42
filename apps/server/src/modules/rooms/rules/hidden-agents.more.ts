import { describe, expect, it } from 'vitest'
import { playBlended } from '../test/blended-room.ts'
import { featureNames, hitsByFeature, hitsOfModel, type Riddle, riddleOf } from '../test/guessing.ts'

const rooms = 200
/** Two people and an agent: whoever guesses at random is right in a third of the rooms. */
const chance = 1 / 3
/** The rooms are always the same, so this is no matter of luck: mere guessing exceeds it once in a thousand tries. */
const boundFor = (deviations: number): number =>
  rooms * chance + deviations * Math.sqrt(rooms * chance * (1 - chance))
const bound = boundFor(3.1)
/** The same for the best of all features, each of which may point upwards or downwards. */
const boundOfBest = boundFor(4.1)

const riddles = (rule: 'new' | 'old'): Riddle[] =>
  Array.from({ length: rooms }, (_, index) => riddleOf(playBlended(`room ${index}`, rule)))

describe('Whoever looks for the hidden agent among the others', () => {
  it('[R43,RM172,RM173,RM174] finds it no better than by chance, in what people receive of 200 rooms', () => {
    const given = riddles('new')
    expect(given.every(({ agent }) => agent >= 0)).toBe(true)
    expect(hitsOfModel(given)).toBeLessThan(bound)
    expect(hitsByFeature(given).filter(({ hits }) => hits > boundOfBest)).toEqual([])
  })

  it('[R43] found it always by the rule of earlier rooms, also without looking at the alias: it can tell', () => {
    const given = riddles('old')
    expect(hitsOfModel(given)).toBeGreaterThan(rooms * 0.95)
    const isAboutPlace = featureNames.map((name) => name === 'alias' || name === 'place')
    const without = given.map(({ others, agent }) => ({
      others: others.map((features) => features.map((value, index) => (isAboutPlace[index] ? 0 : value))),
      agent,
    }))
    expect(hitsOfModel(without)).toBeGreaterThan(rooms * 0.95)
  })
})
