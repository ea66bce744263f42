import type { Sync } from '@atrium/client'
import type { MediaKind, UploadedMedia } from './uploaded-media.ts'

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
