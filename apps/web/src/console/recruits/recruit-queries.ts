import { recruitmentRoutes } from '@atrium/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

/** Never refetched automatically: every request is recorded in the audit log. */
export function useRecruits(experimentId: string) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['experiments', experimentId, 'recruits'],
    queryFn: ({ pageParam, signal }) =>
      api.call(recruitmentRoutes.list, {
        params: { experimentId },
        query: pageParam === undefined ? {} : { after: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnWindowFocus: false,
  })
}
