import type { Participant } from '@atrium/client'
import type { RoomSnapshot } from '@atrium/contract'
import { mayShowFiles } from '../../api/file-addresses.ts'
import type { RoomFiles } from './room-files.ts'

/** Loads what shows uploaded pictures and sounds with the first study that may have some. */
export function createRoomFiles(participant: Participant) {
  let opened: { files: RoomFiles; close(): void } | undefined
  let opening: Promise<void> | undefined
  let lookedAt: number | undefined
  let isClosed = false

  function isNeeded({ state, globalComponents }: RoomSnapshot): boolean {
    if (state?.visit === lookedAt) return false
    const { states = [], globalComponents: throughout = [] } = participant.session?.experimentConfig ?? {}
    // The study is looked at once, each state when it is entered.
    const planned = lookedAt === undefined ? [states, throughout] : []
    lookedAt = state?.visit
    return mayShowFiles([...planned, state?.components ?? [], globalComponents])
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
