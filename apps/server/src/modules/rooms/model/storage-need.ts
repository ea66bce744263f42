import { roomActions, syncActions } from '@atrium/contract'
import type { SpaceNeed } from '../../../kernel/space.ts'
import type { RoomAction, RoomActionType } from './room-action.ts'

/** Without these nobody reaches the end of a study. */
const bringsOn: readonly RoomActionType[] = [
  'connected',
  'submit_response',
  'ready',
  'cannot_answer',
  'playback_command',
  'playback_buffer',
]

/**
 * RM182: what an action of a participant takes space for; undefined for `leave` and for whatever the server, an agent or a
 * researcher does, which nobody refuses.
 */
export function storageNeedOf({ type }: RoomAction): SpaceNeed | undefined {
  if (bringsOn.includes(type)) return 'progress'
  return type !== 'leave' && (type in roomActions || type in syncActions) ? 'data' : undefined
}
