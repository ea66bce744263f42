import { answerTo, type Reduction } from './reduce-room.ts'
import type { RoomAction } from './room-action.ts'
import { toRecord } from './room-record.ts'
import { type RoomState, rememberedActions } from './room-state.ts'
import type { RoomAppend } from './rooms.store.ts'

interface Applied {
  action: RoomAction
  /** The action as the log keeps it. */
  text: string
  at: number
  epoch: number
  seq: number
  before: RoomState
  reduction: Extract<Reduction, { kind: 'applied' }>
}

/** What the log and the participants' records receive of an action that was applied. */
export function appendOf({ action, text, at, epoch, seq, before, reduction }: Applied): RoomAppend {
  const { room, records } = reduction
  const status = room.status.kind === before.status.kind ? null : room.status
  return {
    roomId: room.roomId,
    epoch,
    seq,
    at,
    action: text,
    actor: 'by' in action ? action.by : 'participantId' in action ? action.participantId : 'clock',
    actionId: 'actionId' in action ? action.actionId : null,
    ...('actionId' in action && {
      answer: answerTo(room, action),
      mayBeRepeat: hasForgotten(before, action.participantId),
    }),
    records: records.map(toRecord),
    status,
  }
}

/** A seat that remembers fewer than it could has forgotten nothing. */
export const hasForgotten = ({ seats }: RoomState, participantId: string): boolean =>
  (seats.find((seat) => seat.participantId === participantId)?.recent.length ?? 0) >= rememberedActions

/** How much a store has to write for it, in bytes: a text in Chinese is three times as heavy as it is long. */
export const weightOfAppend = ({ action, records }: RoomAppend): number =>
  records.reduce(
    (sum, { event }) => sum + 200 + Buffer.byteLength(event.data) + Buffer.byteLength(event.extra ?? ''),
    200 + Buffer.byteLength(action),
  )
