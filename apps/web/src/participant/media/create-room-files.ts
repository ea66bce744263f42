import type { Participant } from '@atrium/client'
import type { RoomSnapshot } from '@atrium/contract'
import { nameFiles } from '../../api/file-addresses.ts'
import type { RoomFiles } from './room-files.ts'

/** Loads what shows uploaded pictures and sounds with the first study that may have some. */
export function createRoomFiles(participant: Participant) {
  let opened: { files: RoomFiles; close(): void } | undefined
  let opening: Promise<void> | undefined
  let lookedAt: number | undefined
  let isClosed = false

  function isNeeded({ state, globalComponents }: RoomSnapshot): boolean {
    if (state?.visit === lookedAt) return false
    lookedAt = state?.visit
    const { mayShowFiles = false } = participant.session?.experimentConfig ?? {}
    // A server of an earlier version does not say so.
    return mayShowFiles || nameFiles([...(state?.components ?? []), ...globalComponents])
  }

  async function open(): Promise<void> {
    try {
      const { openRoomFiles } = await import('./room-files.ts')
      opened = await openRoomFiles(participant)
      if (isClosed) opened.close()
    } catch {
      // No connection just now; the next state tries again.
      opening = undefined
      lookedAt = undefined
    }
  }

  return {
    /** Undefined until the code is there, and for studies without uploaded files. */
    current: (): RoomFiles | undefined => opened?.files,
    /** What the room shows has changed. Resolves when it can be shown; undefined if that is so already. */
    update(view: RoomSnapshot): Promise<void> | undefined {
      if (opened) return undefined
      if (!opening && isNeeded(view)) opening = open()
      return opening
    },
    close(): void {
      isClosed = true
      opened?.close()
    },
  }
}
