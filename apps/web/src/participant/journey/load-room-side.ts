import { NoAnswer } from '@atrium/client'

type RoomSide = typeof import('../room-side.ts')

let loaded: RoomSide | undefined

/** Throws NoAnswer while the connection fails; may be tried again. */
export async function loadRoomSide(): Promise<RoomSide> {
  try {
    loaded ??= await import('../room-side.ts')
    return loaded
  } catch (cause) {
    throw new NoAnswer('The pages of the room could not be loaded.', { cause })
  }
}

/** For pages that are shown only once it is there, so that nothing flashes. */
export function roomSide(): RoomSide {
  if (!loaded) throw new Error('The pages of the room are not loaded yet.')
  return loaded
}
