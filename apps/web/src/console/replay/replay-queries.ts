import { momentsPerPage, type RoomMoments, replayRoutes } from '@atrium/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

const liveMs = 4_000
const limit = String(momentsPerPage.max)

/** Everything that has happened in the room; while it goes on, only what is new is asked for. */
export function useMoments(roomId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  const queryKey = ['rooms', roomId, 'moments']
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<RoomMoments> => {
      const known = queryClient.getQueryData<RoomMoments>(queryKey)
      const moments = [...(known?.moments ?? [])]
      for (;;) {
        const after = String(moments.at(-1)?.number ?? 0)
        const page = await api.call(replayRoutes.moments, {
          params: { roomId },
          query: { after, limit },
          signal,
        })
        moments.push(...page.moments)
        if (page.next !== null) continue
        // Somebody was deleted since: what was read before must go.
        if (page.total < moments.length)
          return await api.call(replayRoutes.moments, { params: { roomId }, query: { limit }, signal })
        return { ...page, moments }
      }
    },
    refetchInterval: ({ state }) => (state.data?.moments.at(-1)?.ended ? false : liveMs),
  })
}

/** The room at one moment. What was then does not change any more. */
export function useRoomAt(roomId: string, at: number | undefined, as: string | null) {
  const api = useApi()
  return useQuery({
    queryKey: ['rooms', roomId, 'replay', at, as],
    enabled: at !== undefined,
    queryFn: ({ signal }) =>
      api.call(replayRoutes.at, {
        params: { roomId },
        query: { at: String(at), ...(as !== null && { as }) },
        signal,
      }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  })
}
