import { type AuditPage, auditRoutes } from '@atrium/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

export function useAudit() {
  const api = useApi()
  return useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }): Promise<AuditPage> =>
      api.call(auditRoutes.list, { query: pageParam === null ? {} : { before: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
}
