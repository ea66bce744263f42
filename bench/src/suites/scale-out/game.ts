import { speedUp } from '@atrium/bots'
import type { ExperimentDefinition } from '@atrium/contract'
import { peoplePerRoom } from '../../load/room-load.ts'

const [contributeMs, feedbackMs] = [4_000, 1_000]
export const gameRoundMs = contributeMs + feedbackMs

/**
 * Endless public goods with chat. Every state ends by the clock and not with the slowest response, so that participants
 * do as much per minute on a slow machine as on a fast one, and on four pods as on one.
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

/** How much faster the warm-up game is played. */
export const warmUpSpeed = 8
/** About 1,700 actions on each pod, with rounds of ten seconds and 120 participants. */
const warmUpRoundsPerSecond = 0.6

/**
 * The same game, fast and with an end. V8 optimises a pod's code the more it runs, and each of four pods runs a quarter.
 * Without the same warm-up for each pod, we would compare the age of pods instead of their number.
 */
export const warmUpGame = (pods: number, seconds: number): ExperimentDefinition => ({
  ...speedUp(steadyGame, warmUpSpeed),
  name: 'Quick public goods',
  blocks: [
    {
      id: 'rounds',
      states: ['contribute', 'feedback'],
      rounds: pods * Math.ceil(seconds * warmUpRoundsPerSecond),
    },
  ],
})
