import type { ExperimentDefinition } from '@atrium/contract'
import { collectedParadata } from '../../events/index.ts'
import type { RoomAction } from './room-action.ts'

/** RM190: an action as it is logged. What the study does not collect must not be in the log either. */
export function collected(
  action: RoomAction,
  { paradata: kinds = [] }: Pick<ExperimentDefinition, 'paradata'>,
): RoomAction {
  if (action.type !== 'submit_response' || action.paradata === undefined) return action
  const { paradata, ...answer } = action
  const kept = collectedParadata(paradata, kinds)
  return kept ? { ...answer, paradata: kept } : answer
}
