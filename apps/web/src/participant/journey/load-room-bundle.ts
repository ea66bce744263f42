type RoomBundle = typeof import('../room-bundle.ts')

let loaded: RoomBundle | undefined

/** A part of the page could not be fetched. After an update of the platform, only a new page knows where it is now. */
export class PartMissing extends Error {}

/** Throws PartMissing. */
export async function loadRoomBundle(): Promise<RoomBundle> {
  try {
    loaded ??= await import('../room-bundle.ts')
    return loaded
  } catch (cause) {
    throw new PartMissing('room pages not loaded', { cause })
  }
}

/** For pages that are shown only once it is there, so that nothing flashes. */
export function roomBundle(): RoomBundle {
  if (!loaded) throw new Error('room pages not loaded yet')
  return loaded
}
