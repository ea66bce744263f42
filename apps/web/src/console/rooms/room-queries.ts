import { roomRoutes } from '@atrium/contract'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'
import type { RoomAction } from './room-actions.ts'

export type RoomFilter = 'open' | 'all'

export function useRooms(experimentId: string, status: RoomFilter) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['experiments', experimentId, 'rooms', status],
    queryFn: ({ pageParam, signal }) =>
      api.call(roomRoutes.list, {
        params: { experimentId },
        query: { status, ...(pageParam !== undefined && { before: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: 5_000,
  })
}

const roomMs = 2_000

/** The room and its seats, refetched every few seconds while the browser tab is visible. */
export function useRoom(roomId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['rooms', roomId],
    queryFn: async ({ signal }) => {
      const [room, { participants }] = await Promise.all([
        api.call(roomRoutes.state, { params: { roomId }, signal }),
        api.call(roomRoutes.participants, { params: { roomId }, signal }),
      ])
      return { room, seats: participants }
    },
    // An ended room no longer changes.
    refetchInterval: ({ state }) => (state.data?.room.status === 'ended' ? false : roomMs),
  })
}

/** Performs an action; `text` is the content of its field, if it has one. */
export function useRoomAction(roomId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ action, text }: { action: RoomAction; text: string }) => {
      const params = { roomId }
      const given = text.trim()
      switch (action.kind) {
        case 'advance':
          return await api.call(roomRoutes.advance, { params })
        case 'resume':
          return await api.call(roomRoutes.resume, { params })
        case 'pause':
          return await api.call(roomRoutes.pause, { params, body: given === '' ? {} : { reason: given } })
        case 'end':
          return await api.call(roomRoutes.end, { params, body: given === '' ? {} : { reason: given } })
        case 'announce':
          return await api.call(roomRoutes.message, {
            params,
            body: { text: given, ...(action.seat && { participantId: action.seat.participantId }) },
          })
        case 'remove':
          return await api.call(roomRoutes.remove, {
            params: { roomId, participantId: action.seat.participantId },
            body: given === '' ? {} : { outcome: given },
          })
      }
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['rooms', roomId] }),
        queryClient.invalidateQueries({ queryKey: ['experiments'] }),
      ]),
  })
}
