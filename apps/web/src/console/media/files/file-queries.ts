import { type MediaRecord, mediaPerPage, mediaRoutes } from '@atrium/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../session/session.ts'
import { readPages } from '../read-pages.ts'

export const filesKey = ['media-files'] as const

/** Uploaded pictures and sounds, the newest first. */
export function useMediaFiles({ isEnabled = true } = {}) {
  const api = useApi()
  return useQuery({
    queryKey: filesKey,
    enabled: isEnabled,
    queryFn: ({ signal }) =>
      readPages<MediaRecord>(async (before) => {
        const limit = String(mediaPerPage.max)
        const query = before === null ? { limit } : { limit, before }
        const { media, next } = await api.call(mediaRoutes.list, { query, signal })
        return { items: media, next }
      }),
  })
}

export function useRenameFile() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ mediaId, name }: Pick<MediaRecord, 'mediaId' | 'name'>) =>
      api.call(mediaRoutes.rename, { params: { mediaId }, body: { name } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: filesKey, exact: true }),
  })
}

export function useDeleteFile() {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ mediaId }: MediaRecord) => api.call(mediaRoutes.remove, { params: { mediaId } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: filesKey, exact: true }),
  })
}
