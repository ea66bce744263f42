import type { State, VideoRecord } from '@atrium/contract'

/** For loading, and for people who have to click before it plays. */
const spareMs = 60_000
/** The longest that a definition allows. */
const longestStateMs = 86_400_000

/** When to go on although the video has not ended, because it may not play at all; undefined if its length is unknown. */
export function limitFor({ durationMs }: Pick<VideoRecord, 'durationMs'>): number | undefined {
  const limitMs = durationMs === null ? Number.NaN : durationMs + spareMs
  return limitMs <= longestStateMs ? limitMs : undefined
}

/** A state that shows the video, as JSON for a definition. */
export function snippetFor(video: Pick<VideoRecord, 'videoId' | 'durationMs'>): string {
  const { videoId, durationMs } = video
  const component = { id: 'film', type: 'video', videoId, ...(durationMs !== null && { durationMs }) }
  const afterMs = limitFor(video)
  const state: State = {
    id: 'watch',
    components: [component],
    end: { on: 'media_ended', componentId: component.id, ...(afterMs !== undefined && { afterMs }) },
  }
  return JSON.stringify(state, null, 2)
}
