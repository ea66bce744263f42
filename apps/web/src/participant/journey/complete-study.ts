import type { Participant } from '@atrium/client'
import { isTemporary, notCompleted } from './endings.ts'
import type { Stage } from './stage.ts'

const restMs = 3_000

/** R20: everything is stored first, then the code is given. Tried until that is so; `tell` hears what it waits for. */
export async function completeStudy(
  participant: Participant,
  outcome: string,
  finalState: string | undefined,
  tell: (problem: string | null) => void,
): Promise<Extract<Stage, { kind: 'done' | 'stopped' }>> {
  tell(null)
  for (;;) {
    try {
      const request = { completionCode: outcome, ...(finalState !== undefined && { finalState }) }
      return { kind: 'done', ...(await participant.complete(request)) }
    } catch (error) {
      if (!isTemporary(error)) return notCompleted(error)
      tell(error instanceof Error ? error.message : String(error))
      await new Promise((resolve) => setTimeout(resolve, restMs))
    }
  }
}
