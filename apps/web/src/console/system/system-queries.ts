import { type Researchers, type SystemInstances, systemRoutes } from '@atrium/contract'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

export function useInstances(refetchInterval: number) {
  const api = useApi()
  return useQuery({
    queryKey: ['system', 'instances'],
    queryFn: ({ signal }): Promise<SystemInstances> => api.call(systemRoutes.instances, { signal }),
    // Whoever is not an administrator stays so until they sign in again.
    refetchInterval: ({ state }) => (state.data ? refetchInterval : false),
  })
}

export function useResearchers() {
  const api = useApi()
  return useQuery({
    queryKey: ['system', 'researchers'],
    queryFn: ({ signal }): Promise<Researchers> => api.call(systemRoutes.researchers, { signal }),
  })
}
