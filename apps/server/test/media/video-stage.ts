import { videoRoutes } from '@atrium/contract'
import { smallestDefinition, succeeded } from '@atrium/testkit'
import { afterEach } from 'vitest'
import { mediaStage, uploadFile } from './media-world.ts'

/** What a transcoder says of a job when it begins. */
export const job = {
  jobId: 'job-1',
  durationMs: 6_006,
  width: 1_280,
  height: 720,
  levels: ['360p', '480p', '720p'],
}

export const video = (videoId: string, more: object = {}) => ({ id: 'film', type: 'video', videoId, ...more })
export const studyWith = (videoId: string) => smallestDefinition({ globalComponents: [video(videoId)] })

/** A stage for all tests of a file. Each test begins with an object store and upload events that work. */
export function videoStage() {
  const stage = mediaStage()
  afterEach(() => {
    stage().memory.trouble.kind = undefined
    stage().refusal.error = undefined
  })
  return {
    stage,
    /** Uploads a video, which then waits for its transcoding. */
    stored: async (token = stage().ada.token) => (await uploadFile(stage(), token)).body.videoId,
    listed: async (token: string): Promise<string[]> =>
      succeeded(await stage().api.call(videoRoutes.list, { token })).videos.map(({ videoId }) => videoId),
  }
}
