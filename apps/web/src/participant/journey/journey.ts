import type { Participant } from '@atrium/client'
import { replacedByOtherTab, stoppedByCode } from './endings.ts'
import type { Stage } from './stage.ts'
import { createWalk, type Trip, type Walk } from './walk.ts'

export interface Journey {
  /** From the beginning, or again from where the person was: joining resumes. */
  start(): Promise<void>
}

/**
 * One person’s way through a study. `show` is told every stage. `findTrip` says which study it is, when that is known.
 * Each start is a walk of its own: what an earlier one still hears from its connections changes nothing any more.
 */
export function createJourney(
  participant: Participant,
  findTrip: () => Promise<Trip | undefined>,
  show: (stage: Stage) => void,
): Journey {
  let walk: Walk | undefined

  participant.onStatus((status) => {
    if (status.kind === 'replaced') walk?.end(replacedByOtherTab())
    if (status.kind === 'stopped') walk?.end(stoppedByCode(status.code, status.message, status.details))
  })

  return {
    async start() {
      walk?.end()
      walk = createWalk(participant, findTrip, show)
      await walk.begin()
    },
  }
}
