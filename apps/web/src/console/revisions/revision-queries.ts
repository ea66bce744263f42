import { revisionRoutes } from '@atrium/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

export function useRevisions(experimentId: string) {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['experiments', experimentId, 'revisions'],
    queryFn: ({ pageParam, signal }) =>
      api.call(revisionRoutes.list, {
        params: { experimentId },
        query: pageParam === undefined ? {} : { before: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
}

export function useRevision(experimentId: string, revision: number) {
  const api = useApi()
  return useQuery({
    queryKey: ['experiments', experimentId, 'revisions', revision],
    queryFn: ({ signal }) =>
      api.call(revisionRoutes.read, { params: { experimentId, revision: String(revision) }, signal }),
    // Revisions never change.
    staleTime: Number.POSITIVE_INFINITY,
  })
}
