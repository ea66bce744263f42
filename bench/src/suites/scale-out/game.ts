import { quicken } from '@atrium/bots'
import type { ExperimentDefinition } from '@atrium/contract'
import { peoplePerRoom } from '../../load/room-load.ts'

const [contributeMs, feedbackMs] = [4_000, 1_000]
export const gameRoundMs = contributeMs + feedbackMs

/**
 * Public goods with talk, without an end. Every state ends by the clock and not by the slowest answer: whoever plays
 * does as much in a minute on a slow machine as on a fast one, and on four pods as on one.
 */
export const steadyGame: ExperimentDefinition = {
  name: 'Steady public goods',
  states: [
    {
      id: 'contribute',
      components: [
        { id: 'contribution', type: 'slider', saveTo: 'given' },
        { id: 'chat', type: 'chat' },
      ],
      end: { on: 'timed', afterMs: contributeMs },
      onEnter: { given: '0' },
      onEnd: { pot: 'sum(responses.contribution)', points: 'points + 20 - given + pot * 1.6 / 4' },
    },
    { id: 'feedback', components: [], end: { on: 'timed', afterMs: feedbackMs } },
  ],
  blocks: [{ id: 'rounds', states: ['contribute', 'feedback'], rounds: 5_000 }],
  variables: {
    pot: 0,
    given: { scope: 'participant', initial: 0 },
    points: { scope: 'participant', initial: 0 },
  },
  matching: { groupSize: peoplePerRoom },
  dropout: { policy: 'wait', graceMs: 600_000 },
}

/** How much faster it is played to warm up. */
export const warmUpSpeed = 8
/** With rounds of ten seconds and 120 people about 1,700 actions on each pod. */
const warmUpRoundsPerSecond = 0.6

/**
 * The same game, quick and with an end. A pod compiles its code the more it runs, and of four pods each runs a quarter:
 * without as much warming up for each, it would be the age of the pods that is compared and not their number.
 */
export const warmUpGame = (pods: number, seconds: number): ExperimentDefinition => ({
  ...quicken(steadyGame, warmUpSpeed),
  name: 'Quick public goods',
  blocks: [
    {
      id: 'rounds',
      states: ['contribute', 'feedback'],
      rounds: pods * Math.ceil(seconds * warmUpRoundsPerSecond),
    },
  ],
})
