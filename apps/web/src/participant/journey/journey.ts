import type { Participant } from '@atrium/client'
import type { ParadataKind } from '@atrium/contract'
import type { StudyBranding } from '../frame/study-branding.ts'
import type { Paradata } from '../paradata/start-paradata.ts'
import { replacedByOtherTab, stoppedByCode } from './endings.ts'
import type { Stage } from './stage.ts'
import { createStudyFlow, type JoinTarget, type StudyFlow } from './study-flow.ts'

export interface Journey {
  /** Starts, or resumes where the participant was. */
  start(): Promise<void>
}

/**
 * A participant’s way through a study. Calls `show` with every stage. `findTarget` returns the study, if it is known.
 * Each start is a separate flow: what the connections of an earlier one still report has no effect.
 */
export function createJourney(
  participant: Participant,
  findTarget: () => Promise<JoinTarget | undefined>,
  show: (stage: Stage) => void,
  showBranding: (branding: StudyBranding) => void,
): Journey {
  let flow: StudyFlow | undefined
  const loadParadata = createParadataLoader(participant)

  participant.onStatus((status) => {
    if (status.kind === 'replaced') flow?.end(replacedByOtherTab())
    if (status.kind === 'stopped') flow?.end(stoppedByCode(status.code, status.message, status.details))
  })

  return {
    async start() {
      flow?.end()
      flow = createStudyFlow(participant, findTarget, loadParadata, show, showBranding)
      await flow.begin()
    },
  }
}

/** R93: after the consent, once for each participation: whoever continues here after another tab is measured as before. */
function createParadataLoader(participant: Participant): () => Promise<Paradata | undefined> {
  let running: { participantId: string; paradata: Promise<Paradata | undefined> } | undefined

  async function load(kinds: readonly ParadataKind[]): Promise<Paradata | undefined> {
    try {
      const { startParadata } = await import('../paradata/start-paradata.ts')
      return startParadata(participant, kinds)
    } catch {
      // Something blocks it, or the connection failed just now. Taking part matters more.
      return undefined
    }
  }

  return async () => {
    const { participantId = '', experimentConfig } = participant.session ?? {}
    const kinds = experimentConfig?.paradata ?? []
    if (running?.participantId !== participantId) {
      await running?.paradata.then((paradata) => paradata?.stop())
      running = { participantId, paradata: kinds.length > 0 ? load(kinds) : Promise.resolve(undefined) }
    }
    return await running.paradata
  }
}
