import type { ExperimentDefinition } from '@atrium/contract'
import type { Clock } from '../../../kernel/clock.ts'
import { crowdOf, isCrowd } from '../model/crowd.ts'
import type { Emitted } from '../model/room-audience.ts'
import type { RoomState } from '../model/room-state.ts'

/** Counting and telling takes as long as a message to everyone; nobody reads figures faster than this. */
export const figuresEveryMs = 1_000

interface Told {
  room: RoomState
  definition: ExperimentDefinition
  /** The figures that were told last, as text; empty before the first. */
  figures: string
  timer: NodeJS.Timeout
}

/** R73: tells large rooms how many are here and ready: at once where nothing was told lately, else when that is over. */
export function createCrowdFigures(
  clock: Clock,
  send: (roomId: string, emitted: readonly Emitted[]) => void,
) {
  const told = new Map<string, Told>()

  function tell(known: Omit<Told, 'timer'>): string {
    const { room, definition } = known
    const crowd = crowdOf(room, definition)
    const figures = JSON.stringify(crowd)
    // Without a number of their own: the rules know nothing of them.
    const event = { type: 'crowd' as const, crowd, seq: room.seq, at: clock.now() }
    if (figures !== known.figures) send(room.roomId, [{ audience: { kind: 'room' }, event }])
    return figures
  }

  const later = (roomId: string): NodeJS.Timeout => setTimeout(() => again(roomId), figuresEveryMs).unref()

  function again(roomId: string): void {
    const known = told.get(roomId)
    if (!known) return
    const figures = tell(known)
    // A room in which nothing changes is forgotten, and its next change told at once.
    if (figures === known.figures) told.delete(roomId)
    else told.set(roomId, { ...known, figures, timer: later(roomId) })
  }

  return {
    follow(room: RoomState, definition: ExperimentDefinition): void {
      const { roomId } = room
      if (!isCrowd(room)) return
      const known = told.get(roomId)
      if (known) Object.assign(known, { room, definition })
      else {
        const figures = tell({ room, definition, figures: '' })
        told.set(roomId, { room, definition, figures, timer: later(roomId) })
      }
      if (room.status.kind === 'ended') this.forget(roomId)
    },
    /** The room has ended, or is lost here: whoever was connected gets a snapshot wherever it is opened next. */
    forget(roomId: string): void {
      clearTimeout(told.get(roomId)?.timer)
      told.delete(roomId)
    },
  }
}
