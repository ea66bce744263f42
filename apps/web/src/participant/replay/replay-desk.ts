import { createMediaLibrary } from '../media/media-library.ts'
import { openUploadedMedia } from '../media/uploaded-media.ts'
import type { RoomDesk } from '../room/room-desk.ts'

const refuse = () => Promise.reject(new Error('nothing can be done in a replay'))
const ignore = () => Promise.resolve()
/** A desk at which nothing can be done, at a time that does not pass. */
export const replayDesk = (at: number): RoomDesk => ({
  serverNow: () => at,
  answer: refuse,
  timesIn: () => undefined,
  say: refuse,
  // The page of a consent presses the button by itself.
  ready: ignore,
  leave: ignore,
  uploadFile: refuse,
  note: () => undefined,
  media: {
    subscribe: () => () => undefined,
    sync: () => undefined,
    // Films are given only to those who take part.
    take: (videoId, kind) =>
      openUploadedMedia(
        createMediaLibrary(async () => []),
        videoId,
        kind,
      ),
    ahead: () => undefined,
  },
})
