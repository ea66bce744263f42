import type { Participant } from '@atrium/client'
import type { RoomSnapshot } from '@atrium/contract'
import { componentTypeOf } from '@atrium/contract/components'
import type { createPlayingMedia, RoomMedia } from './playing-media.ts'

/** Loads what playing needs with the first study that plays something. */
export function createRoomMedia(participant: Participant) {
  const listeners = new Set<() => void>()
  let playing: ReturnType<typeof createPlayingMedia> | undefined
  let loading: Promise<void> | undefined
  let isClosed = false
  let lastView: RoomSnapshot | undefined
  const changed = (): void => {
    for (const listener of listeners) listener()
  }

  function playsSomething(view: RoomSnapshot): boolean {
    const { states = [], globalComponents = [] } = participant.session?.experimentConfig ?? {}
    return [
      ...states,
      { components: globalComponents },
      view.state,
      { components: view.globalComponents },
    ].some((place) => place?.components?.some(({ type }) => componentTypeOf(String(type)).plays !== null))
  }

  async function load(): Promise<void> {
    try {
      const { createPlayingMedia } = await import('./playing-media.ts')
      if (isClosed) return
      playing = createPlayingMedia(participant)
      playing.media.subscribe(changed)
      if (lastView) playing.update(lastView)
      changed()
    } catch {
      loading = undefined // No connection just now; the next change of the room tries again.
    }
  }

  const media: RoomMedia = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    sync: () => playing?.media.sync(),
    take(videoId, kind) {
      if (!playing) throw new Error('What plays videos is not loaded yet.')
      return playing.media.take(videoId, kind)
    },
    ahead: () => playing?.media.ahead(),
  }
  return {
    media,
    /** What the room shows has changed. Resolves when it can be played; undefined if that is so already. */
    update(view: RoomSnapshot): Promise<void> | undefined {
      lastView = view
      if (playing) playing.update(view)
      else if (playsSomething(view)) {
        loading ??= load()
        return loading
      }
      return undefined
    },
    close(): void {
      isClosed = true
      playing?.close()
    },
  }
}
