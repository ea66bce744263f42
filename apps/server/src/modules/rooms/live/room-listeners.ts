import type { ExperimentDefinition } from '@atrium/contract'
import type { PlaybackPush } from '../model/playback.ts'
import type { Emitted } from '../model/room-audience.ts'
import type { RoomState } from '../model/room-state.ts'

export interface RoomListener {
  emitted?(
    room: RoomState,
    emitted: Emitted[],
    played: PlaybackPush[],
    definition: ExperimentDefinition,
  ): void
  /** Everyone who is connected to the room here must reconnect. */
  lost?(roomId: string): void
  /** This instance holds the room from now on. */
  taken?(room: RoomState): Promise<void>
  /** The room is open here and its clock runs. */
  opened?(room: RoomState): void
  /** The room has ended. */
  ended?(roomId: string): void
  /** The room is at rest: no instance holds it. */
  rested?(roomId: string): void
}

export type RoomListeners = ReturnType<typeof createRoomListeners>

export function createRoomListeners(onError: (error: unknown) => void) {
  const listeners: RoomListener[] = []
  return {
    add: (listener: RoomListener): void => void listeners.push(listener),
    /** A listener that throws must not keep the others from being called. */
    notify(call: (listener: RoomListener) => void): void {
      for (const listener of listeners)
        try {
          call(listener)
        } catch (error) {
          onError(error)
        }
    },
    /** Rejects if one of them does: the room must not be opened then. */
    async taken(room: RoomState): Promise<void> {
      await Promise.all(listeners.map((listener) => listener.taken?.(room)))
    },
  }
}
