import { agentFigureRoutes, type PilotBody, pilotRoutes } from '@atrium/contract'
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useApi } from '../../session/session.ts'

/** Rooms with people, or pilots: their data is never mixed. */
export type RoomKind = 'people' | 'pilots'

const keyOf = (experimentId: string) => ['experiments', experimentId, 'agents']

export const syntheticOf = (kind: RoomKind) => (kind === 'pilots' ? 'true' : 'false')

export function useAgentFigures(experimentId: string, minutes: number, kind: RoomKind) {
  const api = useApi()
  return useQuery({
    queryKey: [...keyOf(experimentId), 'figures', minutes, kind],
    queryFn: ({ signal }) =>
      api.call(agentFigureRoutes.ofExperiment, {
        params: { experimentId },
        query: { minutes: String(minutes), synthetic: syntheticOf(kind) },
        signal,
      }),
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
  })
}

/** Refetched while any of them is being played. */
export function usePilots(experimentId: string) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: [...keyOf(experimentId), 'pilots'],
    queryFn: ({ pageParam, signal }) =>
      api.call(pilotRoutes.list, {
        params: { experimentId },
        query: pageParam === undefined ? {} : { before: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state: { data } }) => {
      const pilots = data?.pages.flatMap((page) => page.pilots) ?? []
      return pilots.some(({ progress }) => progress.waiting + progress.running > 0) && 2_000
    },
  })
}

export function useStartPilot(experimentId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: PilotBody) => api.call(pilotRoutes.create, { params: { experimentId }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(experimentId) }),
  })
}
