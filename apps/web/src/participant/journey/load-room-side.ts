type RoomSide = typeof import('../room-side.ts')

let loaded: RoomSide | undefined

/** A part of the page could not be fetched. After an update of the platform, only a new page knows where it is now. */
export class PartMissing extends Error {}

/** Throws PartMissing. */
export async function loadRoomSide(): Promise<RoomSide> {
  try {
    loaded ??= await import('../room-side.ts')
    return loaded
  } catch (cause) {
    throw new PartMissing('room pages not loaded', { cause })
  }
}

/** For pages that are shown only once it is there, so that nothing flashes. */
export function roomSide(): RoomSide {
  if (!loaded) throw new Error('room pages not loaded yet')
  return loaded
}
