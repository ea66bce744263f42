import type { ExperimentDefinition } from '@atrium/contract'
import { peoplePerRoom } from './rooms-load.ts'

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
        { id: 'contribution', type: 'slider', min: 0, max: 20, step: 1, saveTo: 'given' },
        { id: 'chat', type: 'chat' },
      ],
      end: { on: 'timed', afterMs: 4_000 },
      onEnter: { given: '0' },
      onEnd: { pot: 'sum(responses.contribution)', points: 'points + 20 - given + pot * 1.6 / 4' },
    },
    {
      id: 'feedback',
      components: [{ id: 'earned', type: 'payoff', variable: 'points' }],
      end: { on: 'timed', afterMs: 1_000 },
    },
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
