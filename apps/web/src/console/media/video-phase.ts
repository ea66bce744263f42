import type { LevelName, VideoRecord } from '@atrium/contract'

/** Where a video is on its way from a file to something that can be played. */
export type VideoPhase =
  | { kind: 'unfinished' }
  | { kind: 'pending'; reason: string | undefined }
  /** Handed to the transcoder, which has not begun. */
  | { kind: 'queued' }
  | { kind: 'processing'; progress: number | undefined }
  | { kind: 'ready'; levels: readonly LevelName[] }
  | { kind: 'failed'; sentence: string | undefined }

export function phaseOf(video: VideoRecord): VideoPhase {
  if (video.uploadId !== null) return { kind: 'unfinished' }
  switch (video.hlsStatus) {
    case 'pending':
      return { kind: 'pending', reason: video.hlsNote ?? undefined }
    case 'processing':
      // Loading the original is already progress.
      if (video.progress === 0) return { kind: 'queued' }
      return { kind: 'processing', progress: video.progress ?? undefined }
    case 'ready':
      return { kind: 'ready', levels: video.levels }
    case 'failed':
      return { kind: 'failed', sentence: video.hlsError ?? undefined }
  }
}

/** Whether the platform is about to change the record by itself. */
export const isChanging = (video: VideoRecord): boolean => {
  const { kind } = phaseOf(video)
  return kind === 'pending' || kind === 'queued' || kind === 'processing'
}

/** A file whose picture could not even be measured is no better the next time. */
export const mayHelpToRetry = ({ width }: VideoRecord): boolean => width !== null

/** The list with a record that has changed or is new; the newest comes first. */
export function withVideo(videos: readonly VideoRecord[], news: VideoRecord): VideoRecord[] {
  if (!videos.some(({ videoId }) => videoId === news.videoId))
    return [news, ...videos].toSorted((one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt))
  return videos.map((video) => (video.videoId === news.videoId ? news : video))
}
