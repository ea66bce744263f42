import type { Participant } from '@atrium/client'
import type { StudyFace } from '../frame/study-face.ts'
import { replacedByOtherTab, stoppedByCode } from './endings.ts'
import { createParadataLoader } from './load-paradata.ts'
import type { Stage } from './stage.ts'
import { createWalk, type Trip, type Walk } from './walk.ts'

export interface Journey {
  /** Starts, or resumes where the participant was. */
  start(): Promise<void>
}

/**
 * A participant’s way through a study. Calls `show` with every stage. `findTrip` returns the study, if it is known.
 * Each start is a separate walk: what the connections of an earlier one still report has no effect.
 */
export function createJourney(
  participant: Participant,
  findTrip: () => Promise<Trip | undefined>,
  show: (stage: Stage) => void,
  showFace: (face: StudyFace) => void,
): Journey {
  let walk: Walk | undefined
  const loadParadata = createParadataLoader(participant)

  participant.onStatus((status) => {
    if (status.kind === 'replaced') walk?.end(replacedByOtherTab())
    if (status.kind === 'stopped') walk?.end(stoppedByCode(status.code, status.message, status.details))
  })

  return {
    async start() {
      walk?.end()
      walk = createWalk(participant, findTrip, loadParadata, show, showFace)
      await walk.begin()
    },
  }
}
