import type { VideoPage } from '@atrium/contract'
import { sightOf } from '../experiments/index.ts'
import { actorOf, type Identity } from '../identity/index.ts'
import type { VideoCursor } from './media.store.ts'
import type { MediaParts } from './media-parts.ts'
import type { MediaPaths } from './media-path.ts'
import { recordOf } from './video-record.ts'

export interface VideoQuery {
  limit: number
  /** The `next` of the previous page. */
  before: string | null
}

/** V15 */
export async function listVideos(
  { store, clock }: MediaParts,
  paths: MediaPaths,
  identity: Identity,
  { limit, before }: VideoQuery,
): Promise<VideoPage> {
  const found = await store.visible({
    sight: sightOf(identity),
    now: clock.now(),
    before: before === null ? null : readCursor(before),
    // One more than requested shows whether there is another page.
    limit: limit + 1,
  })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    videos: shown.map((seen) => recordOf(seen, actorOf(identity), paths)),
    next: last && found.length > limit ? writeCursor(last.video) : null,
  }
}

const writeCursor = ({ createdAt, videoId }: VideoCursor): string => `${createdAt}.${videoId}`

/** The contract accepts only what `writeCursor` writes. */
function readCursor(text: string): VideoCursor {
  const end = text.indexOf('.')
  return { createdAt: Number(text.slice(0, end)), videoId: text.slice(end + 1) }
}
