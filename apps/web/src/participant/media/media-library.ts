import type { PlayableVideo } from '@atrium/contract'

/** An address that expires sooner than this is replaced before it is used. */
const reserveMs = 60_000
/** A video that is not ready yet may be asked for repeatedly; the server is not, more often than this. */
const againAfterMs = 5_000

export interface MediaLibrary {
  /** A video with an address that is valid for a while; undefined if it cannot be played here or now. */
  find(videoId: string): Promise<PlayableVideo | undefined>
  /** As `find`, with a new address, because the last one was refused. */
  renew(videoId: string): Promise<PlayableVideo | undefined>
}

/** R32: the signed addresses of the videos that the room uses, fetched when they are needed. */
export function createMediaLibrary(
  fetchMedia: () => Promise<PlayableVideo[]>,
  now: () => number = Date.now,
): MediaLibrary {
  let known: readonly PlayableVideo[] = []
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined

  const fresh = (videoId: string) =>
    known.find(
      (video) =>
        video.videoId === videoId &&
        video.playbackUrl !== null &&
        Date.parse(video.expiresAt) - now() > reserveMs,
    )

  /** One request at a time; who comes meanwhile gets the same answer. */
  function ask(): Promise<void> {
    askedAt = now()
    asking ??= fetchMedia()
      .then((videos) => {
        known = videos
      })
      .finally(() => {
        asking = undefined
      })
    return asking
  }

  return {
    async find(videoId) {
      if (!fresh(videoId) && now() - askedAt >= againAfterMs) await ask()
      else await asking
      return fresh(videoId)
    },
    async renew(videoId) {
      await ask()
      return fresh(videoId)
    },
  }
}
