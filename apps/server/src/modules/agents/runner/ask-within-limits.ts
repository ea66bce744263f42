import { usesModel } from '@atrium/contract'
import type { Clock } from '../../../kernel/clock.ts'
import { type Asked, type Asking, askModel, askScript, type OpenModel, unasked } from './ask-agent.ts'
import type { OpenCall } from './call-use.ts'
import type { ModelBreakers } from './model-breakers.ts'

export interface AskDeps {
  clock: Clock
  breakers: ModelBreakers
  /** The model server of a credential; undefined when it is gone. */
  openModel(credentialId: string): Promise<OpenModel | undefined>
}

type Unreachable = { kind: 'unreachable'; message: string; call: OpenCall }

/** Asks once, unless there is no server, it is left alone, or the time of the turn is over. */
export async function askWithinLimits(
  { clock, breakers, openModel }: AskDeps,
  asking: Asking,
  startedAt: number,
  signal: AbortSignal,
): Promise<Asked | Unreachable> {
  const { persona } = asking.view
  if (!usesModel(persona)) return askScript(asking, clock.now())
  const model = await openModel(persona.credentialId ?? '')
  if (signal.aborted) return { kind: 'cut_off', call: unasked(asking, clock.now()) }
  const without = (message: string): Unreachable => ({
    kind: 'unreachable',
    message,
    call: unasked(asking, clock.now()),
  })
  if (!model) return without('The credential of this agent does not exist any more, or cannot be opened.')
  const { credentialId } = model
  const timeoutMs = startedAt + model.timeoutMs - clock.now()
  if (timeoutMs <= 0) return without('There was no time left for another attempt.')
  if (!breakers.mayAsk(credentialId, model.timeoutMs))
    return without('The model server has failed several times in a row and is left alone for a moment.')
  try {
    const asked = await askModel(asking, model, { clock, signal, timeoutMs })
    if (asked.kind === 'cut_off') breakers.released(credentialId)
    else if (asked.kind === 'failed' && asked.isServerDown) breakers.failed(credentialId)
    else breakers.answered(credentialId)
    return asked
  } catch (error) {
    breakers.released(credentialId)
    throw error
  }
}
