import type { Participant } from '@atrium/client'
import { refusalTextOf } from '../refusal-text.ts'
import { isTemporary, notCompleted } from './endings.ts'
import type { Stage } from './stage.ts'

const retryDelayMs = 3_000

/** R20: the code is given only after everything is stored. Retries until then; `onProblem` is called with the reason. */
export async function completeStudy(
  participant: Participant,
  outcome: string,
  finalState: string | undefined,
  onProblem: (problem: string | null) => void,
): Promise<Extract<Stage, { kind: 'done' | 'stopped' }>> {
  onProblem(null)
  for (;;) {
    try {
      const request = { completionCode: outcome, ...(finalState !== undefined && { finalState }) }
      return { kind: 'done', ...(await participant.complete(request)) }
    } catch (error) {
      if (!isTemporary(error)) return notCompleted(error)
      onProblem(refusalTextOf(error))
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs))
    }
  }
}
