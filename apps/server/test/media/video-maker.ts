import { readFile } from 'node:fs/promises'
import { type VideoRecord, videoRoutes } from '@atrium/contract'
import { createApi, createResearcher, succeeded, waitUntil } from '@atrium/testkit'

/** A researcher who uploads videos to a server. */
export async function createVideoMaker(http: string) {
  const api = createApi(http)
  const { token } = await createResearcher(api)

  async function read(videoId: string): Promise<VideoRecord> {
    return succeeded(await api.call(videoRoutes.read, { token, params: { videoId } }))
  }

  return {
    read,
    async upload(path: string): Promise<string> {
      const body = new FormData()
      body.set('file', new File([await readFile(path)], 'film.mp4', { type: 'video/mp4' }))
      const headers = { authorization: `Bearer ${token}` }
      const response = await fetch(`${http}/api/upload/video`, { method: 'POST', headers, body })
      if (!response.ok) throw new Error(`the upload was answered with ${response.status}`)
      const { videoId } = (await response.json()) as { videoId: string }
      return videoId
    },
    /** Resolves with the record when it is ready. */
    async ready(videoId: string): Promise<VideoRecord> {
      await waitUntil(
        async () => {
          const { hlsStatus, hlsNote, hlsError, progress } = await read(videoId)
          if (hlsStatus === 'failed') return `failed: ${hlsError}`
          return hlsStatus === 'ready' || `${hlsStatus} ${progress ?? ''} ${hlsNote ?? ''}`
        },
        { timeoutMs: 500_000, everyMs: 500 },
      )
      return await read(videoId)
    },
  }
}
