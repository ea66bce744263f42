import { uploadRoutes, type VideoRecord, videoRoutes, videosPerPage } from '@atrium/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../session/authorised-api.ts'
import { useApi } from '../session/session.ts'
import { readPages } from './read-pages.ts'
import { isChanging } from './video-phase.ts'

export const videosKey = ['videos'] as const

interface VideosOptions {
  isEnabled?: boolean
  /** How often to read the list again while the platform is working on a video; never when absent. */
  everyMs?: number
}

export function useVideos({ isEnabled = true, everyMs }: VideosOptions) {
  const api = useApi()
  return useQuery({
    queryKey: videosKey,
    queryFn: ({ signal }) => readVideos(api, signal),
    enabled: isEnabled,
    // A long list takes several requests, so it is read less often.
    refetchInterval: ({ state: { data = [] } }) =>
      everyMs !== undefined && data.some(isChanging) && everyMs * Math.ceil(data.length / videosPerPage.max),
  })
}

const readVideos = (api: Api, signal: AbortSignal): Promise<VideoRecord[]> =>
  readPages(async (before) => {
    const limit = String(videosPerPage.max)
    const query = before === null ? { limit } : { limit, before }
    const { videos, next } = await api.call(videoRoutes.list, { query, signal })
    return { items: videos, next }
  })

/** Read again when it is played: the signed address in the list may have expired. */
export function usePlayableVideo(videoId: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...videosKey, videoId, 'to-play'],
    queryFn: ({ signal }) => api.call(videoRoutes.read, { params: { videoId }, signal }),
    // A new address would start the video again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

export function useDeleteVideo() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (video: VideoRecord) => {
      const { videoId, uploadId, storageKey } = video
      return uploadId === null
        ? await api.call(videoRoutes.remove, { params: { videoId } })
        : await api.call(uploadRoutes.abort, { body: { uploadId, key: storageKey } })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: videosKey, exact: true }),
  })
}

export function useRetryVideo() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ videoId }: VideoRecord) => api.call(videoRoutes.retry, { params: { videoId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: videosKey, exact: true }),
  })
}
