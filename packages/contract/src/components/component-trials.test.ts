import { expect, test } from 'vitest'
import { reactionStimuliOf } from './component-trials.ts'

test('[F95] a stimulus that is found in the room is not in the settings', () => {
  const trials = [
    { text: 'A' },
    { image: '/b.png' },
    { text: '{{trial.word}}' },
    { image: 'media:{{trial.face}}' },
  ]
  expect(reactionStimuliOf({ type: 'reaction_time', trials })).toEqual(['A', '/b.png', null, null])
})
