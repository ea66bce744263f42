import { bytesOf, bytesOfEvent } from '../../kernel/quota.ts'
import type { RoomAppend } from './rooms.store.ts'

/** How many bytes a store has to write for it. */
export const weightOfAppend = (append: RoomAppend): number =>
  append.records.reduce((sum, { event }) => sum + bytesOfEvent(event), bytesOfAction(append))

/** The same without the participants' records. */
export const bytesOfAction = ({ action, calls = [] }: Pick<RoomAppend, 'action' | 'calls'>): number =>
  calls.reduce((sum, { request, reply }) => sum + bytesOf(request, reply), bytesOf(action))
