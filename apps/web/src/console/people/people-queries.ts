import { type ErasureScope, peopleRoutes, privacyRoutes, type SessionStatus } from '@atrium/contract'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

/** An empty text is no filter. */
export interface PeopleFilters {
  status: SessionStatus | ''
  outcome: string
  condition: string
  revision?: number
}

const keyOf = (experimentId: string) => ['experiments', experimentId, 'people']

export function usePeople(experimentId: string, { status, outcome, condition, revision }: PeopleFilters) {
  const api = useApi()
  const filters = {
    ...(status !== '' && { status }),
    ...(outcome !== '' && { outcome }),
    ...(condition !== '' && { condition }),
    ...(revision !== undefined && { revision: String(revision) }),
  }
  return useInfiniteQuery({
    queryKey: [...keyOf(experimentId), 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api.call(peopleRoutes.list, {
        params: { experimentId },
        query: { ...filters, ...(pageParam !== undefined && { after: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

export function useTimeline(experimentId: string, participantId: string) {
  const api = useApi()
  return useQuery({
    queryKey: [...keyOf(experimentId), participantId],
    queryFn: ({ signal }) =>
      api.call(peopleRoutes.timeline, { params: { experimentId, participantId }, signal }),
  })
}

export function useErasure(experimentId: string, participantId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (scope: ErasureScope) =>
      api.call(privacyRoutes.erase, { params: { experimentId, participantId }, query: { scope } }),
    // Except their own time line, which is still shown at this moment and would not be found any more.
    onSuccess: () =>
      queryClient.invalidateQueries({
        queryKey: ['experiments', experimentId],
        predicate: ({ queryKey }) => !queryKey.includes(participantId),
      }),
  })
}
