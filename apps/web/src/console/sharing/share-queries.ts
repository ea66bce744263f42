import { type Share, shareRoutes } from '@atrium/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../session/session.ts'

const keyOf = (experimentId: string) => ['experiments', experimentId, 'shares']

export function useShares(experimentId: string) {
  const api = useApi()
  return useQuery({
    queryKey: keyOf(experimentId),
    queryFn: async ({ signal }) =>
      (await api.call(shareRoutes.read, { params: { experimentId }, signal })).shares,
  })
}

export function useReplaceShares(experimentId: string) {
  const api = useApi()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (shares: Share[]) =>
      api.call(shareRoutes.replace, { params: { experimentId }, body: { shares } }),
    onSuccess: ({ shares }) => queryClient.setQueryData(keyOf(experimentId), shares),
    // After a refusal, show what the platform has.
    onError: () => queryClient.invalidateQueries({ queryKey: keyOf(experimentId) }),
  })
}
