import { connectSync, type Participant, type Sync } from '@atrium/client'
import { otherCountIn, type RoomSnapshot } from '@atrium/contract'
import { mayPlayInStep, videosAhead } from './media-ahead.ts'
import { createMediaLibrary } from './media-library.ts'
import { type MediaKind, openUploadedMedia, type UploadedMedia } from './uploaded-media.ts'

/** The media of one room: playback in step, and uploaded videos, of which the next one is loaded in advance. */
export interface RoomMedia {
  subscribe(listener: () => void): () => void
  /** The room's clock and playback; undefined unless something may play in step. */
  sync(): Sync | undefined
  /** The uploaded video of a view, which closes it when it goes. */
  take(videoId: string, kind: MediaKind): UploadedMedia
  /** How much of the next video is loaded, from 0 to 1; undefined if nothing is being loaded in advance. */
  ahead(): number | undefined
}

/** The page itself comes first. */
const politenessMs = 2_000

/** Playback in step, and uploaded videos, of which the next one is loaded in advance. */
export function createPlayingMedia(participant: Participant) {
  const library = createMediaLibrary(() => participant.media())
  const listeners = new Set<() => void>()
  let sync: Sync | undefined
  let prepared: { videoId: string; kind: MediaKind; media: UploadedMedia } | undefined
  let preparing: ReturnType<typeof setTimeout> | undefined
  let shown: UploadedMedia | undefined
  const changed = (): void => {
    for (const listener of listeners) listener()
  }

  function connectWhereNeeded(view: RoomSnapshot): void {
    const { states = [], globalComponents = [] } = participant.session?.experimentConfig ?? {}
    const components = [
      ...states.flatMap((state) => state.components ?? []),
      ...globalComponents,
      ...(view.state?.components ?? []),
      ...view.globalComponents,
    ]
    if (sync || !components.some((component) => mayPlayInStep(component, otherCountIn(view)))) return
    sync = connectSync(participant)
    changed()
  }

  function prepareNext(view: RoomSnapshot): void {
    const config = participant.session?.experimentConfig
    const [next] = config ? videosAhead(config, view) : []
    if (!next || prepared?.videoId === next.videoId || preparing !== undefined) return
    preparing = setTimeout(() => {
      preparing = undefined
      // What the participant is waiting for now must not share the line.
      if (shown?.state().kind === 'loading') prepareNext(view)
      else prepare(next)
    }, politenessMs)
  }

  function prepare(next: { videoId: string; kind: MediaKind }): void {
    prepared?.media.close()
    const media = openUploadedMedia(library, next.videoId, next.kind)
    media.subscribe(changed)
    prepared = { ...next, media }
    changed()
  }

  const media: RoomMedia = {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    sync: () => sync,
    take(videoId, kind) {
      const isPrepared = prepared?.videoId === videoId && prepared.kind === kind
      const media = (isPrepared && prepared?.media) || openUploadedMedia(library, videoId, kind)
      if (isPrepared) prepared = undefined
      shown = media
      // Not at once: the view that takes it is being rendered.
      queueMicrotask(changed)
      return media
    },
    ahead() {
      const state = prepared?.media.state()
      return state?.kind === 'loading' ? state.progress : undefined
    },
  }
  return {
    media,
    /** What the room shows has changed. */
    update(view: RoomSnapshot): void {
      connectWhereNeeded(view)
      prepareNext(view)
    },
    close(): void {
      clearTimeout(preparing)
      prepared?.media.close()
      sync?.close()
    },
  }
}
