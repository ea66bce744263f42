import { flowRoutes, plotRoutes } from '@atrium/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

const refreshMs = 15_000

export function usePlots(experimentId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['experiments', experimentId, 'plots'],
    queryFn: ({ signal }) => api.call(plotRoutes.read, { params: { experimentId }, signal }),
    refetchInterval: refreshMs,
  })
}

export function useFlow(experimentId: string) {
  const api = useApi()
  return useQuery({
    queryKey: ['experiments', experimentId, 'flow'],
    queryFn: ({ signal }) => api.call(flowRoutes.read, { params: { experimentId }, signal }),
    refetchInterval: refreshMs,
  })
}
