import { type Participant, type Room, takePart, type Waiting, WaitingClosed } from '@atrium/client'
import type { BotLog } from '../bot-log.ts'
import type { Bell } from './bell.ts'

export interface RoomToEnter {
  participant: Participant
  bell: Bell
  log: BotLog
  patienceMs: number
  /** The bot goes from the waiting room, should there be a wait. */
  leavesWait: boolean
}

export type Entry = { kind: 'room'; room: Room } | { kind: 'departed' } | { kind: 'wait_ended' }

/** Waits for the group, where there is one to wait for, and connects to its room. */
export async function enterRoom(parts: RoomToEnter): Promise<Entry> {
  const { participant, bell, log, patienceMs, leavesWait } = parts
  let waiting: Waiting | undefined
  let hasDeparted = false
  const patience = setTimeout(() => waiting?.close(), patienceMs)
  try {
    const room = await takePart(participant, {
      onSnapshot: bell.ring,
      onEvent: bell.ring,
      onStatus: bell.ring,
      onWaiting: (begun) => {
        waiting = begun
      },
      waiting: {
        onStatus({ needed }) {
          log.note({ kind: 'waiting', needed })
          hasDeparted = leavesWait
          if (leavesWait) waiting?.close()
        },
        onAssigned: ({ roomId }) => log.note({ kind: 'assigned', roomId }),
      },
    })
    return { kind: 'room', room }
  } catch (error) {
    if (hasDeparted) return { kind: 'departed' }
    if (!(error instanceof WaitingClosed) || !error.ended) throw error
    const { reason, completionCode } = error.ended
    log.note({ kind: 'wait_ended', reason, completionCode })
    return { kind: 'wait_ended' }
  } finally {
    clearTimeout(patience)
  }
}
