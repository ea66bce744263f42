import type { Sight } from '../experiments/index.ts'
import type { Video, VideoChange } from './video.plan.ts'

export interface SeenVideo {
  video: Video
  /** Those that the viewer may see, and that use the video now: see `remove`. */
  usedBy: { experimentId: string; name: string }[]
}

/** Where a video stands in the list. */
type VideoCursor = Pick<Video, 'createdAt' | 'videoId'>

export interface MediaStore {
  create(video: Video): Promise<void>
  find(videoId: string): Promise<Video | undefined>
  findMany(videoIds: readonly string[]): Promise<Video[]>
  /** Applies `changeVideo`, one change after the other. Undefined if there is no such video. */
  change(videoId: string, change: VideoChange): Promise<{ video: Video; isChanged: boolean } | undefined>
  /** Newest first, from the one after `before`. */
  visible(listing: {
    sight: Sight
    now: number
    before: VideoCursor | null
    limit: number
  }): Promise<SeenVideo[]>
  /** Undefined if it does not exist, or they may not see it. */
  seen(look: { videoId: string; sight: Sight; now: number }): Promise<SeenVideo | undefined>
  /** How many experiments need it (see `remove`), whoever may see them. */
  countUses(videoId: string, now: number): Promise<number>
  /** Those that do not exist, or that the person may not see. */
  hiddenAmong(videoIds: readonly string[], sight: Sight): Promise<string[]>
  /**
   * Deletes the record, unless the current revision of an experiment names the video, or somebody is still taking part
   * in an older one that does.
   */
  remove(removal: {
    videoId: string
    actor: string
    now: number
  }): Promise<'removed' | 'in_use' | 'not_found'>
  /** Deletes the record of an upload as `remove` does, unless the upload is complete. */
  discard(videoId: string, now: number): Promise<'discarded' | 'in_use' | 'not_open'>
  /** Videos removed or discarded before the time, of which something may be left in the object store. */
  removed(before: number, limit: number): Promise<Video[]>
  /** It counts as removed at this time, behind all others. */
  eraseLater(videoId: string, at: number): Promise<void>
  /** Nothing of it is left. */
  forget(videoId: string): Promise<void>
  /** Of this person: neither complete nor abandoned. */
  countOpenUploads(owner: string): Promise<number>
  /** Uploads that were begun before the time, are not complete, and that no experiment needs (see `remove`). */
  unfinished(search: { begunBefore: number; now: number; limit: number }): Promise<Video[]>
  /** Pending videos without a job that are due; each is due again at `until`. No two instances get the same. */
  claimPending(claim: { now: number; until: number; limit: number }): Promise<Video[]>
  /** These are due at `until`. */
  postpone(videoIds: readonly string[], until: number): Promise<void>
  /** Videos whose job should be running. */
  inTranscoding(limit: number): Promise<{ videoId: string; jobId: string }[]>
}
