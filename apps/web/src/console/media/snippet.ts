import type { State, VideoRecord } from '@atrium/contract'

/** A state that shows the video, as JSON for a definition. */
export function snippetFor({ videoId, durationMs }: Pick<VideoRecord, 'videoId' | 'durationMs'>): string {
  const film = { id: 'film', type: 'video', videoId, ...(durationMs !== null && { durationMs }) }
  const state: State = {
    id: 'watch',
    components: [film],
    end: { on: 'media_ended', componentId: film.id },
  }
  return JSON.stringify(state, null, 2)
}
