import { NoAnswer } from '@atrium/client'

type RoomSide = typeof import('../room-side.ts')

let loaded: RoomSide | undefined

/** Throws NoAnswer while the connection fails; may be tried again. */
export async function loadRoomSide(): Promise<RoomSide> {
  try {
    loaded ??= await import('../room-side.ts')
    return loaded
  } catch (cause) {
    throw new NoAnswer('room pages not loaded', { cause })
  }
}

/** For pages that are shown only once it is there, so that nothing flashes. */
export function roomSide(): RoomSide {
  if (!loaded) throw new Error('room pages not loaded yet')
  return loaded
}
